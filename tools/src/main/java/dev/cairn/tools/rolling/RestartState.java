package dev.cairn.tools.rolling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;

/**
 * How far a rolling restart has come, in a file: the processes that it restarts, in order, each
 * with the start code that it had, and the regions of a region server that are to return. A line is
 * {@code balancer ON}, {@code master NAME}, {@code server NAME}, {@code regions NAME}, {@code
 * region NAME ENCODED} or {@code done NAME}. One thread.
 */
public final class RestartState {
  private final Path file;
  private final Map<ServerName, Entry> entries = new LinkedHashMap<>();

  /** Whether the balancer was on before; empty before the first stop. */
  private Optional<Boolean> balancer = Optional.empty();

  /**
   * A process.
   *
   * @param name as it was before its restart
   * @param regions the encoded names of the regions to return; empty if they are not known yet
   */
  public record Entry(
      ServerName name, boolean isMaster, Optional<List<String>> regions, boolean isDone) {}

  private RestartState(Path file) {
    this.file = file;
  }

  /** Begins a restart; nothing is written before the first change. */
  static RestartState begin(Path file, List<ServerName> masters, List<ServerName> servers) {
    RestartState state = new RestartState(file);
    masters.forEach(
        name -> state.entries.put(name, new Entry(name, true, Optional.empty(), false)));
    servers.forEach(
        name -> state.entries.put(name, new Entry(name, false, Optional.empty(), false)));
    return state;
  }

  /** Reads the file of an unfinished restart. */
  static RestartState read(Path file) throws IOException {
    RestartState state = new RestartState(file);
    for (String line : Files.readAllLines(file)) {
      try {
        state.load(line.split(" ", -1));
      } catch (RuntimeException e) {
        throw new IOException(file + " has a line that is not understood: " + line, e);
      }
    }
    return state;
  }

  /** Takes the words of one line; throws something if it is none. */
  private void load(String[] words) {
    if (words[0].equals("balancer")) {
      balancer = Optional.of(Boolean.valueOf(words[1]));
      return;
    }
    ServerName name = ServerName.valueOf(words[1]);
    switch (words[0]) {
      case "master", "server" ->
          entries.put(name, new Entry(name, words[0].equals("master"), Optional.empty(), false));
      case "regions" -> entries.put(name, withRegions(entries.get(name), List.of()));
      case "region" -> {
        List<String> regions = new ArrayList<>(entries.get(name).regions().orElse(List.of()));
        regions.add(words[2]);
        entries.put(name, withRegions(entries.get(name), regions));
      }
      case "done" ->
          entries.put(
              name,
              new Entry(name, entries.get(name).isMaster(), entries.get(name).regions(), true));
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private static Entry withRegions(Entry old, List<String> regions) {
    return new Entry(old.name(), old.isMaster(), Optional.of(List.copyOf(regions)), old.isDone());
  }

  /** Returns the processes, in the order of their restarts. */
  List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  Entry entry(ServerName name) {
    return entries.get(name);
  }

  /** Returns whether the balancer was on before; empty if that is not stored. */
  Optional<Boolean> balancer() {
    return balancer;
  }

  /** Stores whether the balancer was on before. */
  void setBalancer(boolean on) throws IOException {
    balancer = Optional.of(on);
    write();
  }

  /** Stores the regions that are to return to a server. */
  void setRegions(ServerName name, List<String> regions) throws IOException {
    entries.put(name, withRegions(entries.get(name), regions));
    write();
  }

  /** Stores that a process is restarted and has its regions. */
  void done(ServerName name) throws IOException {
    Entry old = entries.get(name);
    entries.put(name, new Entry(name, old.isMaster(), old.regions(), true));
    write();
  }

  /** Removes the file, because the restart is complete. */
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  private void write() throws IOException {
    List<String> lines = new ArrayList<>();
    balancer.ifPresent(on -> lines.add("balancer " + on));
    for (Entry entry : entries.values()) {
      lines.add((entry.isMaster() ? "master " : "server ") + entry.name());
      if (entry.regions().isPresent()) {
        lines.add("regions " + entry.name());
        entry.regions().get().forEach(region -> lines.add("region " + entry.name() + " " + region));
      }
      if (entry.isDone()) {
        lines.add("done " + entry.name());
      }
    }
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.write(next, lines);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
