package dev.cairn.studies;

import java.util.List;
import java.util.stream.Stream;

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

  /**
   * Returns the questions.
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
}
