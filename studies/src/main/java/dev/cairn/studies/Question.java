package dev.cairn.studies;

import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A kind of question.
 *
 * @param <Q> what is asked
 * @param label what is asked, in a few words
 * @param draw returns one question of the kind
 */
public record Question<Q>(String label, Function<RandomGenerator, Q> draw) {}
