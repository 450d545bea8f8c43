package dev.cairn.launcher.demo;

import dev.cairn.launcher.output.LauncherException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/** Loads artifacts and their references into a table, and asks questions about them. */
public final class Demo {
  private final List<Artifact> artifacts;
  private final boolean terminal;
  private final PrintWriter out;

  /**
   * Reads the data.
   *
   * @param limit how many artifacts to take at most, evenly spread over all
   * @param terminal whether progress may be drawn on standard error
   * @param out receives all other output
   */
  public Demo(OptionalInt limit, boolean terminal, PrintWriter out) throws IOException {
    this.artifacts = chosen(Artifact.all(), limit);
    this.terminal = terminal;
    this.out = out;
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
        Webtable.create(admin, name, regions, artifacts.stream().map(Artifact::key).toList());
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

  private static List<Artifact> chosen(List<Artifact> all, OptionalInt limit) {
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
      loaded = new WebtableLoader(mutator).load(artifacts, progress);
    }
    long nanos = System.nanoTime() - start;
    report.counted(artifacts.size(), "artifacts loaded");
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
