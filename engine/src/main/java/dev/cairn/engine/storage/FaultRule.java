package dev.cairn.engine.storage;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A rule that selects operations of a {@link FaultyStorage} and the manner of their failure.
 * Immutable; a rule that is not narrowed fails all operations of its kinds, each in any manner that
 * it has.
 *
 * <pre>{@code
 * FaultRule.of(StorageOperation.SYNC).nth(3)                          // the third sync
 * FaultRule.of(StorageOperation.WRITE).onPath(p -> p.startsWith("WALs/")).how(Manner.PARTLY)
 * FaultRule.anything().withProbability(0.001)                  // one operation in a thousand
 * }</pre>
 *
 * @param operations the kinds of operations
 * @param paths the paths; for a rename or replacement, the old path
 * @param from the first matching operation that fails, counted from 1
 * @param count the number of operations that fail from there, each with {@code probability}
 * @param probability the probability with which each of these fails, 0 to 1
 * @param manner the manner of the failure
 */
public record FaultRule(
    Set<StorageOperation> operations,
    Predicate<String> paths,
    long from,
    long count,
    double probability,
    Manner manner) {
  /**
   * The manner in which an operation fails. A manner that an operation does not have acts as {@link
   * #NOT_DONE}.
   */
  public enum Manner {
    /** The operation has no effect. */
    NOT_DONE,
    /**
     * Some of it has happened: a part of the bytes is written; of a directory a part is deleted.
     */
    PARTLY,
    /**
     * It has happened, and is not on the device: a rename, deletion, creation that a power cut may
     * undo; bytes that are read back and may be lost; a file that is closed.
     */
    DONE,
    /** There is no room: a {@link DiskFullException}, with a part of the bytes written. */
    DISK_FULL,
    /** A read returns data with one wrong bit, and no error. */
    FLIPPED_BIT,
    /** A read returns fewer bytes than it could, which is no error; others: {@link #PARTLY}. */
    SHORT,
    /** One of the first three, by chance. */
    ANY
  }

  /** Checks the ranges. */
  public FaultRule {
    operations = Set.copyOf(operations);
    if (operations.isEmpty() || from < 1 || count < 1 || !(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("A fault needs an operation, and numbers in their ranges");
    }
  }

  /** Returns a rule by which every one of {@code operations} fails, in any manner. */
  public static FaultRule of(StorageOperation... operations) {
    return new FaultRule(Set.of(operations), path -> true, 1, Long.MAX_VALUE, 1, Manner.ANY);
  }

  /** Returns a rule by which everything fails, in any manner. */
  public static FaultRule anything() {
    return new FaultRule(
        EnumSet.allOf(StorageOperation.class), path -> true, 1, Long.MAX_VALUE, 1, Manner.ANY);
  }

  /** Returns this rule for only those paths that {@code paths} accepts. */
  public FaultRule onPath(Predicate<String> chosen) {
    return new FaultRule(operations, chosen, from, count, probability, manner);
  }

  /** Returns this rule for only the {@code n}-th match, counted from 1. */
  public FaultRule nth(long n) {
    return new FaultRule(operations, paths, n, 1, probability, manner);
  }

  /** Returns this rule for the {@code n}-th match and all after it. */
  public FaultRule fromNth(long n) {
    return new FaultRule(operations, paths, n, Long.MAX_VALUE, probability, manner);
  }

  /** Returns this rule for a random part of its matches. */
  public FaultRule withProbability(double part) {
    return new FaultRule(operations, paths, from, count, part, manner);
  }

  /** Returns this rule with failures of one kind. */
  public FaultRule how(Manner chosen) {
    return new FaultRule(operations, paths, from, count, probability, chosen);
  }
}
