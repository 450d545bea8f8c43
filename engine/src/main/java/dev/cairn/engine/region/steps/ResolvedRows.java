package dev.cairn.engine.region.steps;

import dev.cairn.engine.region.write.Mutation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The mutations of a write in steps that are resolved and not staged, by their rows. */
final class ResolvedRows {
  private final Map<ByteBuffer, List<Mutation>> rows = new HashMap<>();

  /** Adds a mutation, after those before it. */
  void add(Mutation mutation) {
    rows.computeIfAbsent(ByteBuffer.wrap(mutation.row()), row -> new ArrayList<>(1)).add(mutation);
  }

  /** Returns the mutations of a row, in their order. */
  List<Mutation> of(byte[] row) {
    return rows.getOrDefault(ByteBuffer.wrap(row), List.of());
  }

  void clear() {
    rows.clear();
  }
}
