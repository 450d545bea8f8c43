package dev.cairn.server.walsplit;

import dev.cairn.engine.wal.split.SealProgress;
import dev.cairn.engine.wal.split.SplitProgress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Follows the split of some parts of a log, and tells once for each part that all its regions have
 * their entries. Thread-safe.
 */
public final class PartProgress implements SplitProgress {
  private final LogKind kind;
  private final Set<Integer> parts;
  private final SealProgress seals;
  private final IntConsumer done;

  /** The regions of each part that wait for their entries. Guarded by this. */
  private final Map<Integer, Set<String>> waiting = new TreeMap<>();

  /**
   * Creates it.
   *
   * @param parts the indexes of the parts
   * @param seals receives the seals
   * @param done receives the index of each complete part, on any thread; must not block
   */
  public PartProgress(
      LogKind kind, Collection<Integer> parts, SealProgress seals, IntConsumer done) {
    this.kind = kind;
    this.parts = Set.copyOf(parts);
    this.seals = seals;
    this.done = done;
  }

  /** Tells whether a region, given its encoded name, belongs to one of the parts. */
  public boolean includes(String region) {
    return parts.contains(LogPart.of(kind, region).index());
  }

  @Override
  public void found(Set<LogKind> kinds) {}

  @Override
  public void sealing(String path) {
    seals.sealing(path);
  }

  @Override
  public void sealed(String path) {
    seals.sealed(path);
  }

  @Override
  public void read(LogKind ofKind, Set<String> edited) {
    List<Integer> complete = new ArrayList<>();
    synchronized (this) {
      for (String region : edited) {
        waiting
            .computeIfAbsent(LogPart.of(kind, region).index(), part -> new HashSet<>())
            .add(region);
      }
      parts.stream().filter(part -> !waiting.containsKey(part)).sorted().forEach(complete::add);
    }
    complete.forEach(done::accept);
  }

  @Override
  public void recovered(String region) {
    int part = LogPart.of(kind, region).index();
    synchronized (this) {
      Set<String> left = waiting.get(part);
      if (left == null || !left.remove(region) || !left.isEmpty()) {
        return;
      }
    }
    done.accept(part);
  }
}
