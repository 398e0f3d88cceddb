#! /usr/bin/env perl
# Linker version script from an OpenSSL ordinals file (util/*.num), for ELF shared objects.
#
# Packages made for static builds leave out the script that OpenSSL itself uses for this. This one does what a
# shared build on ELF needs and nothing more: it is put in place only where the source has no util/mkdef.pl.
#
#   mkdef.pl [--version V] --type lib|dso --ordinals FILE --name NAME --OS SYSTEM > FILE
#
# A line of an ordinals file is: symbol, ordinal, version (3_0_0), EXIST|NOEXIST:PLATFORMS:KIND:FEATURES.

use strict;
use warnings;
use Getopt::Long;
use lib '.';
use configdata;

my ($type, $ordinals, $name, $system) = ('', '', '', '');
GetOptions('version=s' => sub { }, 'type=s' => \$type, 'ordinals=s' => \$ordinals, 'name=s' => \$name, 'OS=s' => \$system)
    or die "mkdef.pl: wrong options\n";
die "mkdef.pl: no version script for $system, only for ELF systems\n" unless $system =~ /^(linux|bsd|bsd-gcc|solaris|gnu)/;

my %symbols;    # version => names
open my $in, '<', $ordinals or die "mkdef.pl: $ordinals: $!\n";
while (my $line = <$in>) {
    $line =~ s/#.*//;
    next unless $line =~ /\S/;
    my ($symbol, undef, $version, $state) = split ' ', $line;
    defined $state or die "mkdef.pl: $ordinals line $.: four fields expected\n";
    my ($exists, $platforms, undef, $features) = split /:/, $state;
    next unless $exists eq 'EXIST' && here($platforms // '') && enabled($features // '');
    push @{ $symbols{$version} }, $symbol;
}
close $in;
die "mkdef.pl: $ordinals has no symbol\n" unless %symbols;

if ($type eq 'dso') {
    # A module is entered by name only: no versions.
    print "{\n    global:\n", (map { "        $_;\n" } sort map { @$_ } values %symbols), "    local: *;\n};\n";
    exit 0;
}

# Each version's node inherits from the one before; the last one closes everything else.
my @versions = sort { key($a) cmp key($b) } grep { $_ ne '*' } keys %symbols;
my $before = '';
for my $version (@versions) {
    my $node = 'OPENSSL_' . join('.', split /_/, $version);
    print "$node {\n    global:\n", map { "        $_;\n" } sort @{ $symbols{$version} };
    print "    local: *;\n" if $version eq $versions[-1];
    print $before eq '' ? "};\n" : "} $before;\n";
    $before = $node;
}

# Is the symbol there on an ELF system? `VMS`, `_WIN32` name others; `!VMS` excludes others.
sub here {
    for my $platform (split /,/, shift) {
        return 0 unless $platform =~ /^(!|UNIX$|EXPORT_VAR_AS_FUNCTION$)/;
    }
    return 1;
}

# Is every feature that the symbol needs configured?
sub enabled {
    for my $feature (split /,/, shift) {
        # Options are spelt with hyphens, and a few with underscores (ec_nistp_64_gcc_128).
        my $option = lc $feature;
        (my $hyphens = $option) =~ tr/_/-/;
        return 0 if $option =~ /^deprecatedin/ ? $disabled{deprecated} : $disabled{$option} || $disabled{$hyphens};
    }
    return 1;
}

# Sorts 3_0_10 after 3_0_9, and 1_1_0d after 1_1_0.
sub key {
    return join '.', map { /^(\d+)(.*)$/ ? sprintf('%05d%s', $1, $2) : $_ } split /_/, shift;
}
