package dev.cairn.studies;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A question of design: facts, which are to be stored, and questions, which are to be answered. Its
 * designs answer all questions alike, at different costs. Immutable; safe for use by several
 * threads.
 *
 * @param <F> a fact, as it arrives
 * @param <Q> what is asked
 */
public interface Study<F, Q> {
  /** Returns its name on the command line, lower-case words joined by hyphens. */
  String name();

  /** Returns the choice that it is about, in a sentence. */
  String subject();

  /**
   * Returns the facts in the order of their arrival; the same facts for each call.
   *
   * @param count how many, at least 1
   */
  Stream<F> facts(long count);

  /** Returns how many facts show the costs well in a few minutes. */
  default long usualFacts() {
    return 200_000;
  }

  /**
   * Returns the sequence of a fact. Facts of one sequence are stored in the order of their arrival,
   * by one thread; those of different ones in any order.
   *
   * @param number of the fact, from 0
   */
  default long sequence(F fact, long number) {
    return number;
  }

  /**
   * Returns the questions. A question may also write, but leaves what is stored as it was: its
   * answer is the same however often it is asked.
   *
   * @param count how many facts there are
   */
  List<Question<Q>> questions(long count);

  /** Returns the designs; those that the guides advise against come first. */
  List<Design<F, Q>> designs();

  /**
   * Returns the answer to a question by looking at all facts: what each design must answer.
   *
   * @param facts in the order of their arrival
   */
  List<?> answer(Stream<F> facts, Q asked);

  /**
   * Measures what is particular to this study, after the questions.
   *
   * @param count how many facts are stored
   * @return the same labels for each design
   */
  default List<Figure> figures(Design<F, Q> design, Connection connection, long count)
      throws IOException {
    return List.of();
  }
}
