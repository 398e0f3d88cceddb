"""A worker that waits in its first epoch of one algorithm: it opens the pipe `reached`, then reads from the pipe `go`."""
import sys

sys.dont_write_bytecode = True
import worker


class Slow(worker.Worker):
    def prepare(self, request):
        self.waits = request["algorithm"] == sys.argv[1]
        return super().prepare(request)

    def epoch(self, request):
        if self.waits:
            self.waits = False
            open("reached", "w").close()
            open("go").close()
        return super().epoch(request)


worker.serve(Slow())
