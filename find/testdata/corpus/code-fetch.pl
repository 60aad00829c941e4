#!/usr/bin/perl -w
use ⟦not¦LWP::UserAgent⟧; use ⟦not¦HTTP::Request::Common⟧; use ⟦not¦URI::file⟧; use ⟦not¦News::NNTPClient⟧; use ⟦not¦Net::FTP⟧;
my %h = (⟦not¦http::x⟧ => 1); print ⟦not¦$file::name⟧, ⟦not¦&ftp::get⟧("x"), ⟦not¦file::->new⟧;
my $u = ⟦not¦URI->new⟧(q{⟦bare¦http://www.example.org/brace⟧}) or die;
$_ = "⟦any¦http://$host:$port/⟧"; s!^⟦not¦http://⟧!!; s#⟦bare¦http://www.example.org/from⟧#⟦bare¦http://www.example.org/to⟧#; m{^⟦not¦(?:https?|ftp)://⟧};
=head1 SEE ALSO

L⟦angled¦<https://metacpan.example.org/pod/URI>⟧, L<the page|⟦bare¦http://www.example.org/pl⟧>, E<lt>⟦bare¦http://www.example.org/lt⟧E<gt>, F<⟦not¦file:x⟧>

=cut
open(F, "⟦not¦|telnet⟧"); $x ? $y ⟦not¦:$z⟧; ⟦not¦LINE:⟧ while (<F>) { next LINE }
