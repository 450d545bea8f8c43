package dev.cairn.studies.web;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import dev.cairn.studies.web.PageRows.Order;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Pages of the web: the domain as it is, reversed, or hashed. */
public final class WebTable implements Study<Page, Wanted> {
  /** Single pages are drawn from the first ones. */
  private static final int DRAWN_FROM = 1_000;

  @Override
  public String name() {
    return "web-table";
  }

  @Override
  public String subject() {
    return "Pages of the web: the domain as it is, reversed, or hashed?";
  }

  @Override
  public Stream<Page> facts(long count) {
    return Page.first(count);
  }

  @Override
  public List<Question<Wanted>> questions(long count) {
    List<Page> some = Page.first(Math.min(count, DRAWN_FROM)).toList();
    return List.of(
        new Question<>(
            "one page",
            random -> {
              Page page = some.get(random.nextInt(some.size()));
              return new Wanted(page.domain(), Optional.of(page.path()));
            }),
        new Question<>(
            "a domain and those below",
            random -> new Wanted(Page.site(random.nextInt(Page.SITES)), Optional.empty())),
        new Question<>("a top-level domain", random -> new Wanted(top(random), Optional.empty())));
  }

  private static String top(RandomGenerator random) {
    return Page.TOPS.get(random.nextInt(Page.TOPS.size()));
  }

  @Override
  public List<Design<Page, Wanted>> designs() {
    return List.of(
        new PageRows("domain as it is", Order.AS_IS),
        new PageRows("domain reversed", Order.REVERSED),
        new PageRows("hash of the domain first", Order.HASHED),
        new PageRows("hash of the site, then reversed", Order.SITE_HASHED));
  }

  @Override
  public List<Page> answer(Stream<Page> facts, Wanted asked) {
    return asked.sorted(facts);
  }
}
