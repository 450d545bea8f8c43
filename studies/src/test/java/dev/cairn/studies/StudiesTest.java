package dev.cairn.studies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each design of each study answers all questions as a look at all facts does. */
class StudiesTest {
  private static final long SEED = Long.getLong("cairn.seed", System.nanoTime());
  private static final long FACTS = 2_000;
  private static final int QUESTIONS = 10;

  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  static Stream<Study<?, ?>> studies() {
    return Studies.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("studies")
  void answersAreThoseOfAllFacts(Study<?, ?> study) throws IOException {
    check(study, design -> !isOfPhoenix(design));
  }

  /** Phoenix takes long for its tables. */
  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("studies")
  void answersOfPhoenixAreTheSame(Study<?, ?> study) throws IOException {
    check(study, StudiesTest::isOfPhoenix);
  }

  private static boolean isOfPhoenix(Design<?, ?> design) {
    return design.name().startsWith("Phoenix");
  }

  private static <F, Q> void check(Study<F, Q> study, Predicate<Design<?, ?>> checked)
      throws IOException {
    List<F> facts = study.facts(FACTS).toList();
    assertThat(study.facts(FACTS).toList()).isEqualTo(facts).hasSize((int) FACTS);
    Design<F, Q> stored = null;
    for (Design<F, Q> design : study.designs()) {
      if (!checked.test(design)) {
        continue;
      }
      assertThat(design.missing()).as(design.name()).isEmpty();
      if (stored == null || !stored.storage().equals(design.storage())) {
        drop(stored);
        stored = design;
        store(design, facts);
      }
      if (!design.needsMaintenance() && !design.answersByJobs()) {
        ask(study, design, facts);
      }
      design.maintain(CAIRN.connection());
      ask(study, design, facts);
    }
    drop(stored);
  }

  private static <F> void store(Design<F, ?> design, List<F> facts) throws IOException {
    design.create(CAIRN.connection(), FACTS);
    try (FactWriter<F> writer = design.writer(CAIRN.connection())) {
      for (F fact : facts) {
        writer.write(fact);
      }
    }
  }

  private static void drop(Design<?, ?> design) throws IOException {
    if (design != null) {
      design.drop(CAIRN.connection(), FACTS);
    }
  }

  private static <F, Q> void ask(Study<F, Q> study, Design<F, Q> design, List<F> facts)
      throws IOException {
    Connection connection = CAIRN.connection();
    SplittableRandom random = new SplittableRandom(SEED);
    int questions = design.answersByJobs() ? 1 : QUESTIONS;
    for (Question<Q> question : study.questions(FACTS)) {
      for (int i = 0; i < questions; i++) {
        Q asked = question.draw().apply(random);
        List<Object> expected = List.copyOf(study.answer(facts.stream(), asked));
        assertThat(List.<Object>copyOf(design.answer(connection, asked)))
            .as("%s: %s, seed %d", design.name(), asked, SEED)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void namesAreOnesOwn() {
    assertThat(Studies.all()).extracting(Study::name).doesNotHaveDuplicates();
    for (Study<?, ?> study : Studies.all()) {
      assertThat(Studies.find(study.name())).contains(study);
      assertThat(study.designs()).extracting(Design::name).doesNotHaveDuplicates();
    }
  }
}
