package dev.cairn.tools.bulk;

import dev.cairn.tools.bulk.durable.DurableFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Records the progress of a job in a small file, so that the same command continues where it was
 * stopped. Each change writes a new file under a temporary name, renames it to {@code NAME.N} with
 * the next number, and deletes the previous file. So the file system need not support replacing
 * files. A power cut loses no written entry, and restores no deleted journal. Thread-safe.
 */
final class Journal {
  private static final String JOB = "job";
  private static final char BETWEEN = '\t';
  private static final String UNFINISHED = ".new";

  private final FileSystem files;
  private final DurableFiles durable;
  private final Path folder;
  private final String name;
  private final Map<String, String> entries;
  private long number;

  private Journal(
      DurableFiles durable, Path folder, String name, long number, Map<String, String> entries) {
    this.files = durable.files();
    this.durable = durable;
    this.folder = folder;
    this.name = name;
    this.number = number;
    this.entries = entries;
  }

  /**
   * Opens the journal of a job, which is empty if there is no file.
   *
   * @param job one line that tells this job from others
   * @throws BulkException if the file is of another job
   */
  static Journal open(FileSystem files, Path folder, String name, String job) throws IOException {
    return open(new DurableFiles(files), folder, name, job);
  }

  /** Opens the journal of a job, as above. */
  static Journal open(DurableFiles durable, Path folder, String name, String job)
      throws IOException {
    FileSystem files = durable.files();
    long newest = newest(files, folder, name);
    Map<String, String> entries = new TreeMap<>();
    if (newest > 0) {
      Path file = new Path(folder, name + "." + newest);
      read(files, file, entries);
      if (!job.equals(entries.get(JOB))) {
        throw new BulkException(
            file
                + " is of another command, which was stopped: "
                + entries.get(JOB)
                + "; repeat that command, or choose another folder");
      }
    }
    List<Long> older = numbers(files, folder, name);
    older.removeIf(number -> number == newest);
    if (!older.isEmpty()) { // left by a process that ended before it deleted them
      durable.syncNames(folder); // That process may not have synced the newest one's name either.
      for (long number : older) {
        files.delete(new Path(folder, name + "." + number), false);
      }
    }
    entries.put(JOB, job);
    return new Journal(durable, folder, name, newest, entries);
  }

  /** Tells whether a folder has a journal with this name. */
  static boolean exists(FileSystem files, Path folder, String name) throws IOException {
    return newest(files, folder, name) > 0;
  }

  /** Tells whether a file is the unfinished journal of a killed process. */
  static boolean isUnfinished(String name, Path file) {
    return file.getName().equals(name + UNFINISHED);
  }

  private static long newest(FileSystem files, Path folder, String name) throws IOException {
    return numbers(files, folder, name).stream().max(Comparator.naturalOrder()).orElse(0L);
  }

  private static List<Long> numbers(FileSystem files, Path folder, String name) throws IOException {
    List<Long> numbers = new ArrayList<>();
    if (!files.exists(folder) || !files.getFileStatus(folder).isDirectory()) {
      return numbers;
    }
    for (FileStatus file : files.listStatus(folder)) {
      String text = file.getPath().getName();
      if (text.startsWith(name + ".") && text.substring(name.length() + 1).matches("[0-9]{1,18}")) {
        numbers.add(Long.parseLong(text.substring(name.length() + 1)));
      }
    }
    return numbers;
  }

  private static void read(FileSystem files, Path file, Map<String, String> entries)
      throws IOException {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(files.open(file), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        int between = line.indexOf(BETWEEN);
        if (between < 0) {
          throw new BulkException(file + " is damaged: " + line);
        }
        entries.put(line.substring(0, between), line.substring(between + 1));
      }
    }
  }

  /** Returns an entry. */
  synchronized Optional<String> get(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  /** Sets an entry and writes the file. The entry survives a power cut once this returns. */
  void put(String key, String value) throws IOException {
    putAll(Map.of(key, value));
  }

  /** Sets entries and writes the file. */
  synchronized void putAll(Map<String, String> added) throws IOException {
    entries.putAll(added);
    StringBuilder text = new StringBuilder();
    entries.forEach((key, value) -> text.append(key).append(BETWEEN).append(value).append('\n'));
    Path temporary = new Path(folder, name + UNFINISHED);
    try (OutputStream out = durable.create(temporary)) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    durable.rename(temporary, new Path(folder, name + "." + (number + 1)));
    if (number > 0) {
      files.delete(file(number), false); // If a power cut brings it back, the newer one counts.
    }
    number++;
  }

  /** Deletes the file: the job is done. */
  synchronized void delete() throws IOException {
    if (number > 0) {
      durable.delete(file(number));
    }
    number = 0;
  }

  private Path file(long number) {
    return new Path(folder, name + "." + number);
  }
}
