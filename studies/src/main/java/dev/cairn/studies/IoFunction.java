package dev.cairn.studies;

import java.io.IOException;

/**
 * A function that may ask a server.
 *
 * @param <T> what it is given
 * @param <R> what it returns
 */
@FunctionalInterface
public interface IoFunction<T, R> {
  /** Returns the value. */
  R apply(T given) throws IOException;
}
