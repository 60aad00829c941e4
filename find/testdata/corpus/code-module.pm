package ⟦not¦HTTP::Catalogue⟧;
use ⟦not¦HTTP::Request⟧; use ⟦not¦News::NNTPClient⟧; use ⟦not¦File::Spec⟧; use ⟦not¦Net::FTP⟧; use ⟦not¦Mail::Mailer⟧;
my $ua = ⟦not¦LWP::UserAgent⟧->new(agent => '⟦bare¦http://www.example.org/agent⟧');
my $r = ⟦not¦HTTP::Request⟧->new(GET => "⟦any¦http://www.example.org/get?x=$x⟧") or die;
$u =~ m{^⟦not¦https?://⟧([^/:]+)}; $v =~ s/^⟦not¦file:⟧//; # ⟦bare¦http://www.example.org/perl⟧!
=head1 SEE ALSO

L⟦angled¦<https://www.example.org/pod>⟧, ⟦angled¦<news:comp.lang.perl.misc>⟧, C<⟦not¦http::⟧>, L<text|⟦bare¦ftp://ftp.example.org/perl⟧>
