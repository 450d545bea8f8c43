package dev.cairn.launcher.demo;

import dev.cairn.launcher.output.LauncherException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/** Loads Maven artifacts into a table, and asks questions about them. */
public final class Demo {
  private final PomSource source;
  private final List<Coordinates> artifacts;
  private final boolean terminal;
  private final PrintWriter out;

  /**
   * Finds the artifacts.
   *
   * @param folder the Maven repository; the one that Maven uses here if empty
   * @param jars a folder whose jars are taken if Maven has no repository here
   * @param limit how many artifacts to take at most, evenly spread over all
   * @param terminal whether progress may be drawn on standard error
   * @param out receives all other output
   * @throws LauncherException if there is no repository, or nothing in it
   */
  public Demo(
      Optional<Path> folder,
      Optional<Path> jars,
      OptionalInt limit,
      boolean terminal,
      PrintWriter out)
      throws IOException {
    this.terminal = terminal;
    this.out = out;
    Path root =
        folder.orElseGet(() -> RepositoryLocation.of(System.getProperties(), System.getenv()));
    if (folder.isEmpty() && jars.isPresent() && !Files.isDirectory(root)) {
      this.source = new JarPoms(jars.get());
      this.artifacts = chosen(source.artifacts(), limit);
      tell("the jars of " + jars.get());
      out.println("(--repository names a Maven repository; there is none at " + root + ")");
    } else {
      this.source = new MavenRepository(root);
      this.artifacts = chosen(source.artifacts(), limit);
      tell("the Maven repository " + root.toAbsolutePath());
    }
  }

  private void tell(String place) {
    if (artifacts.isEmpty()) {
      throw new LauncherException("no POM in " + place);
    }
    out.printf(Locale.ROOT, "%,d artifacts in %s%n", artifacts.size(), place);
  }

  /**
   * Loads the table and asks.
   *
   * @param configuration how a client finds the server
   * @param name the table; replaced if it is an earlier demo's
   * @param regions how many regions it begins with, at least 1
   * @throws LauncherException if there is another table of that name, or an answer was wrong
   */
  public void run(Configuration configuration, TableName name, int regions) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(configuration)) {
      try (Admin admin = connection.getAdmin()) {
        Webtable.create(admin, name, regions, artifacts.stream().map(Coordinates::rowKey).toList());
      }
      Report report = new Report(out);
      load(connection, name, report);
      try (Table table = connection.getTable(name)) {
        new Questions(table, report).ask();
      }
      out.println();
      out.println("The table " + name + " stays: look around in it with any HBase client.");
      out.flush();
      if (report.contradictions() > 0) {
        throw new LauncherException(report.contradictions() + " answers were wrong");
      }
    }
  }

  private static List<Coordinates> chosen(List<Coordinates> all, OptionalInt limit) {
    if (limit.isEmpty() || limit.getAsInt() >= all.size()) {
      return all;
    }
    int count = limit.getAsInt();
    return IntStream.range(0, count)
        .mapToObj(i -> all.get((int) ((long) i * all.size() / count)))
        .toList();
  }

  private void load(Connection connection, TableName name, Report report) throws IOException {
    long start = System.nanoTime();
    WebtableLoader.Loaded loaded;
    try (BufferedMutator mutator = connection.getBufferedMutator(name);
        Progress progress = progress(artifacts.size())) {
      loaded = new WebtableLoader(source, mutator).load(artifacts, progress);
    }
    long nanos = System.nanoTime() - start;
    report.counted(loaded.artifacts(), "POMs loaded");
    report.counted(loaded.skipped(), "damaged or unreadable, skipped");
    report.counted(loaded.files(), "files");
    report.counted(loaded.references(), "references from one to another");
    report.counted(loaded.bytes(), "bytes of values");
    report.rate(loaded.cells(), "cells", nanos);
  }

  private Progress progress(long total) {
    return terminal
        ? Progress.bar(System.err, "Loading", total)
        : Progress.lines(out, "Loading", total);
  }
}
