package dev.cairn.engine.storage;

import dev.cairn.engine.storage.FaultRule.Manner;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A changing set of {@link FaultRule}s for a {@link FaultyStorage}. Each rule holds from its
 * addition until {@link #heal}; a failed file stays failed after that, as real files do. Equal
 * seeds and equal operations give equal faults. Thread-safe.
 */
public final class Faults {
  private static final List<Manner> ANY = List.of(Manner.NOT_DONE, Manner.PARTLY, Manner.DONE);

  private final RandomGenerator random; // guarded by this
  private final List<Counted> rules = new ArrayList<>(); // guarded by this
  private final Map<StorageOperation, Long> injected =
      new EnumMap<>(StorageOperation.class); // guarded by this

  private static final class Counted {
    final FaultRule rule;
    long matches;

    Counted(FaultRule rule) {
      this.rule = rule;
    }
  }

  /** Creates faults without a rule yet, which use {@code random}. */
  public Faults(RandomGenerator random) {
    this.random = random;
  }

  /** Adds a rule, which counts its matches from now on. */
  public synchronized Faults add(FaultRule rule) {
    rules.add(new Counted(rule));
    return this;
  }

  /** Lets everything succeed again. */
  public synchronized void heal() {
    rules.clear();
  }

  /** Returns how many operations of each kind were made to fail so far. */
  public synchronized Map<StorageOperation, Long> injected() {
    return Map.copyOf(injected);
  }

  /** Decides about one operation: empty if it succeeds. */
  synchronized Optional<Manner> decide(StorageOperation operation, String path) {
    Optional<Manner> found = Optional.empty();
    for (Counted counted : rules) {
      FaultRule rule = counted.rule;
      if (!rule.operations().contains(operation) || !rule.paths().test(path)) {
        continue;
      }
      counted.matches++;
      long past = counted.matches - rule.from();
      boolean fails =
          past >= 0
              && past < rule.count()
              && (rule.probability() >= 1 || random.nextDouble() < rule.probability());
      if (fails && found.isEmpty()) {
        found = Optional.of(chosen(rule.manner()));
      }
    }
    if (found.isPresent()) {
      injected.merge(operation, 1L, Long::sum);
    }
    return found;
  }

  private Manner chosen(Manner manner) {
    return manner == Manner.ANY ? ANY.get(random.nextInt(ANY.size())) : manner;
  }

  /** Returns a number from 0 to before {@code bound}. */
  synchronized int number(int bound) {
    return random.nextInt(bound);
  }
}
