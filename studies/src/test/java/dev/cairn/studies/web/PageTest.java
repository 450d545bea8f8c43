package dev.cairn.studies.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The facts have what goes wrong easily: domains that only begin or end like another. */
class PageTest {
  @Test
  void namesThatEndAlikeAreOtherSites() {
    Wanted site = new Wanted("site1.de", Optional.empty());
    Page own = new Page("site1.de", "/", "");
    Page below = new Page("www.shop.site1.de", "/", "");
    Page prefixed = new Page("my-site1.de", "/", "");
    Page longer = new Page("xsite1.de", "/", "");
    Page top = new Page("site1.de.com", "/", "");
    assertThat(site.sorted(Stream.of(longer, below, prefixed, top, own)))
        .containsExactly(own, below);
  }

  @Test
  void factsHaveSuchNames() {
    assertThat(Page.first(100).map(Page::domain))
        .anyMatch(domain -> domain.startsWith("my-"))
        .anyMatch(domain -> domain.startsWith("xsite"))
        .anyMatch(domain -> domain.contains("-shop."))
        .anyMatch(domain -> domain.startsWith("www.shop."));
  }

  @Test
  void aSiteIsTheLastTwoLabels() {
    assertThat(Page.siteOf("www.shop.site1.de")).isEqualTo("site1.de");
    assertThat(Page.siteOf("site1.de")).isEqualTo("site1.de");
  }
}
