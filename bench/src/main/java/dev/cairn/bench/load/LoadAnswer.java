package dev.cairn.bench.load;

import java.util.Optional;

/**
 * The answer of a {@link LoadProcess} to an order.
 *
 * @param failure the error; null if there was none
 * @param result of a run; null for other orders
 */
record LoadAnswer(String failure, LoadResult result) {
  static LoadAnswer done() {
    return new LoadAnswer(null, null);
  }

  static LoadAnswer of(LoadResult result) {
    return new LoadAnswer(null, result);
  }

  static LoadAnswer failed(Exception cause) {
    return new LoadAnswer(cause.toString(), null);
  }

  Optional<String> whatFailed() {
    return Optional.ofNullable(failure);
  }
}
