package dev.cairn.tools.backup;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The right to change a folder of backups, or to restore a table under a name. One process at a
 * time has the lease.
 *
 * <pre>
 *   PREFIXlease-N     the owner, its command and the end of the lease; the highest N counts
 * </pre>
 *
 * <p>A process takes the lease by exclusive creation of the file with the next number. The owner
 * {@linkplain #renew renews} it from time to time, and before each change that other processes see.
 * So an owner that was frozen changes nothing after another process has taken the lease. If the
 * owner was killed, a process on the same machine can take the lease at once, and a process
 * elsewhere after its end. Thread-safe.
 */
public final class FolderLease implements BackupFolder.Ownership, Closeable {
  /** The recommended time between two renewals, milliseconds. */
  public static final long RENEWAL_MILLIS = Duration.ofSeconds(20).toMillis();

  /** The duration of a lease without a renewal, milliseconds. */
  static final long DURATION_MILLIS = Duration.ofMinutes(2).toMillis();

  /** The greatest difference between the clocks of two machines, milliseconds. */
  static final long SKEW_MILLIS = Duration.ofMinutes(1).toMillis();

  private static final String NAME = "lease-";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final int ATTEMPTS = 10;

  private final Place place;
  private final Clock clock;
  private final int number;
  private final Terms terms;

  /**
   * The location of the files.
   *
   * @param prefix of the paths of the files
   * @param name purpose of the lease, for messages
   */
  public record Place(Storage storage, String prefix, String name) {
    /** Returns the place of the lease of a folder of backups. */
    public static Place of(Storage folder, String name) {
      return new Place(folder, ".", name);
    }

    private String path(int number) {
      return prefix + NAME + number;
    }

    private List<FileInfo> files() throws IOException {
      String directory = prefix.substring(0, Math.max(0, prefix.lastIndexOf('/')));
      return storage.list(directory).stream().filter(this::isLease).toList();
    }

    private boolean isLease(FileInfo file) {
      String begin = prefix + NAME;
      return file.path().startsWith(begin)
          && NUMBER.matcher(file.path().substring(begin.length())).matches();
    }

    private int number(FileInfo file) {
      return Integer.parseInt(file.path().substring(prefix.length() + NAME.length()));
    }

    private Optional<FileInfo> highest() throws IOException {
      return files().stream().max(Comparator.comparingInt(this::number));
    }

    private boolean isHighest(int number) throws IOException {
      return highest().filter(file -> number(file) == number).isPresent();
    }
  }

  /** The content of the file. */
  private record Terms(String id, FolderOwner owner, String purpose, long untilMillis) {
    private static final int FIELDS = 6;

    byte[] bytes(long until) {
      String text =
          String.join(
              "\t",
              id,
              owner.host(),
              Long.toString(owner.process()),
              Long.toString(owner.startMillis()),
              purpose,
              Long.toString(until));
      return (text + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the content; empty if it is not complete. */
    static Optional<Terms> parse(byte[] bytes) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      String[] fields = text.stripTrailing().split("\t", -1);
      if (!text.endsWith("\n") || fields.length != FIELDS) {
        return Optional.empty();
      }
      try {
        return Optional.of(
            new Terms(
                fields[0],
                new FolderOwner(fields[1], Long.parseLong(fields[2]), Long.parseLong(fields[3])),
                fields[4],
                Long.parseLong(fields[5])));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }

  private FolderLease(Place place, Clock clock, int number, Terms terms) {
    this.place = place;
    this.clock = clock;
    this.number = number;
    this.terms = terms;
  }

  /**
   * Takes the lease.
   *
   * @param purpose what the process does, for messages of others; no tabs
   * @param hasEnded tells whether a process is known to have ended
   * @throws BackupException if another process has the lease; the message names it
   */
  public static FolderLease take(
      Place place, String purpose, FolderOwner self, Predicate<FolderOwner> hasEnded, Clock clock)
      throws IOException {
    Terms terms = new Terms(UUID.randomUUID().toString(), self, purpose, 0);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<FileInfo> highest = place.highest();
      if (highest.isPresent()) {
        refuseIfHeld(place, highest.get(), hasEnded, clock);
      }
      int number = highest.map(place::number).orElse(0) + 1;
      if (create(place, number, terms.bytes(clock.currentTimeMillis() + DURATION_MILLIS))
          && place.isHighest(number)) {
        for (FileInfo file : place.files()) {
          if (place.number(file) < number) {
            place.storage().delete(file.path());
          }
        }
        return new FolderLease(place, clock, number, terms);
      }
    }
    throw new BackupException(
        "other processes are taking the lease of " + place.name() + " at the same time");
  }

  private static void refuseIfHeld(
      Place place, FileInfo file, Predicate<FolderOwner> hasEnded, Clock clock) throws IOException {
    Optional<Terms> found;
    try {
      found = Terms.parse(place.storage().readAll(file.path()));
    } catch (NoSuchFileException e) {
      return; // The owner has released it.
    }
    long until =
        found.map(Terms::untilMillis).orElse(file.modifiedMillis() + DURATION_MILLIS) + SKEW_MILLIS;
    if (clock.currentTimeMillis() >= until
        || found.isPresent() && hasEnded.test(found.get().owner())) {
      return;
    }
    throw new BackupException(
        place.name()
            + " is in use: "
            + found
                .map(terms -> terms.owner() + " runs <backup " + terms.purpose() + ">")
                .orElse("another process has just begun")
            + ". One process at a time changes it. If that process has ended,"
            + " repeat this command after "
            + Instant.ofEpochMilli(until));
  }

  private static boolean create(Place place, int number, byte[] content) throws IOException {
    try (AppendFile file = place.storage().create(place.path(number))) {
      file.write(content, 0, content.length);
      file.sync();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /**
   * Checks that this process has the lease, and renews it.
   *
   * @throws BackupException if another process has taken it
   */
  public synchronized void renew() throws IOException {
    if (!isOwn()) {
      throw new BackupException(
          "another process has taken "
              + place.name()
              + ", because this one has not renewed its lease for more than "
              + Duration.ofMillis(DURATION_MILLIS).toSeconds()
              + " seconds: repeat the command");
    }
    place
        .storage()
        .writeAll(place.path(number), terms.bytes(clock.currentTimeMillis() + DURATION_MILLIS));
  }

  @Override
  public void require() throws IOException {
    renew();
  }

  private boolean isOwn() throws IOException {
    if (!place.isHighest(number)) {
      return false;
    }
    try {
      return Terms.parse(place.storage().readAll(place.path(number)))
          .filter(found -> found.id().equals(terms.id()))
          .isPresent();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Gives the lease back. */
  @Override
  public synchronized void close() throws IOException {
    if (isOwn()) {
      place.storage().delete(place.path(number));
    }
  }
}
