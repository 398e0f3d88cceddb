# Signatures per second
# Higher is better; bar: median; whiskers: 95 % interval of the median, or least and greatest of fewer than 6 samples
# openssl@3.0.19 · AMD EPYC · openssl speed -seconds 1
# openssl@3.5.5
# Draws signatures.gnuplot.svg; another place: gnuplot -e "output='FILE.svg'" signatures.gp
if (!exists("output")) output = "signatures.gnuplot.svg"
set encoding utf8
set terminal svg size 960,668 dynamic font "DejaVu Sans,12" background "#ffffff"
set output output
set title "Signatures per second\nHigher is better; bar: median; whiskers: 95 % interval of the median, or least and greatest of fewer\nthan 6 samples" noenhanced
set bmargin 6
set label 1 "openssl@3.0.19 · AMD EPYC · openssl speed -seconds 1\nopenssl@3.5.5" at screen 0.015, character 2 left noenhanced
set xlabel "operations per second" noenhanced
set format x "%.3s %cop/s"
$values << END_OF_DATA
3985 2 13983232
3950 3 8862464
61416 6 13983232
61191 7 8862464
51775.5 10 13983232
16589 13 13983232
1696 16 8862464
9294 20 8862464
END_OF_DATA
$whiskers << END_OF_DATA
3950 3 3900 4000
51775.5 10 51000 52551
16589 13 16500 16678
END_OF_DATA
$words << END_OF_DATA
3985 2 "3.985 k op/s"
3950 3 "3.950 k op/s"
61416 6 "61.42 k op/s"
61191 7 "61.19 k op/s"
51775.5 10 "51.78 k op/s, n 2"
16589 13 "16.59 k op/s, n 2"
1696 16 "1.696 k op/s"
NaN 17 "not measured: openssl speed says: Unknown algorithm ML-DSA-44"
9294 20 "9.294 k op/s"
NaN 21 "not measured: openssl speed says: Unknown algorithm ML-DSA-44"
END_OF_DATA
set xrange [0:79840.8]
set yrange [22.5:0]
set ytics ("rsa2048 sign:" 1, "openssl@3.0.19" 2, "openssl@3.5.5" 3, "rsa2048 verify:" 5, "openssl@3.0.19" 6, "openssl@3.5.5" 7, "ecdsa(nistp256) sign:" 9, "openssl@3.0.19" 10, "ecdsa(nistp256) verify:" 12, "openssl@3.0.19" 13, "ML-DSA-44 sign:" 15, "openssl@3.5.5" 16, "openssl@3.0.19" 17, "ML-DSA-44 verify:" 19, "openssl@3.5.5" 20, "openssl@3.0.19" 21) noenhanced scale 0
unset key
set xtics nomirror
set grid xtics lt 1 lc rgb "#dddddd"
set style fill solid 1 noborder
set border 1
set lmargin 24
plot $values using ($1):2:(0):1:($2-0.36):($2+0.36):3 with boxxyerror lc rgb variable, \
     $whiskers using 1:2:3:4 with xerrorbars pt 0 lc rgb "#1b1b1b", \
     $words using (valid(1) ? $1 : 0):2:(strcol(3)) with labels left offset 1,0 noenhanced
