package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactType;
import org.apache.hadoop.hbase.util.Bytes;

/** The tools that flush, compact, split and merge regions. */
final class RegionTools {
  private RegionTools() {}

  static void declare(Declarations tools) {
    tools
        .add(
            "flush",
            1,
            2,
            "Writes the memory of a table, a region or a server to files; of a table or a region also"
                + " of one family.",
            RegionTools::flush,
            "flush 't1'",
            "flush 't1', 'f'",
            "flush '1588230740c9c9c1d4f8e2e0f0a1b2c3'",
            "flush 'host1,16020,1700000000000'")
        .add(
            "compact",
            1,
            3,
            "Asks for a compaction of a table, a region, or one family of it. The third argument may"
                + " be 'NORMAL' or 'MOB'.",
            (session, arguments) -> compact(session, arguments, Kind.MINOR),
            "compact 't1'",
            "compact 't1', 'f'",
            "compact 't1', 'f', 'MOB'")
        .add(
            "major_compact",
            1,
            3,
            "As compact, for a compaction of all files into one.",
            (session, arguments) -> compact(session, arguments, Kind.MAJOR),
            "major_compact 't1'",
            "major_compact 't1', 'f'")
        .add(
            "compaction_state",
            1,
            1,
            "Prints which compactions of a table run: NONE, MINOR, MAJOR or MAJOR_AND_MINOR.",
            RegionTools::compactionState,
            "compaction_state 't1'")
        .add(
            "split",
            1,
            2,
            "Splits a region, or all regions of a table, in the middle or at a row.",
            RegionTools::split,
            "split 't1'",
            "split 't1', 'row7'",
            "split 'ENCODED_REGION_NAME', 'row7'")
        .add(
            "merge_region",
            2,
            Command.ANY,
            "Merges regions, which are named by their encoded names. true as the last argument"
                + " merges regions that do not adjoin.",
            RegionTools::merge,
            "merge_region 'ENCODED_1', 'ENCODED_2'",
            "merge_region 'ENCODED_1', 'ENCODED_2', true");
  }

  private enum Kind {
    MINOR,
    MAJOR
  }

  private static Optional<byte[]> family(Arguments arguments) {
    return arguments.find(1).map(value -> Conversions.bytes(value, "The family"));
  }

  private static Value flush(Session session, Arguments arguments) throws IOException {
    Admin admin = session.admin();
    Optional<byte[]> family = family(arguments);
    Target target = Target.of(session, arguments, 0);
    if (target instanceof Target.OfTable of) {
      if (family.isPresent()) {
        admin.flush(of.table(), family.get());
      } else {
        admin.flush(of.table());
      }
    } else if (target instanceof Target.OfRegion of) {
      if (family.isPresent()) {
        admin.flushRegion(of.region(), family.get());
      } else {
        admin.flushRegion(of.region());
      }
    } else if (target instanceof Target.OfServer of) {
      admin.flushRegionServer(of.server());
    }
    return Value.NIL;
  }

  private static Value compact(Session session, Arguments arguments, Kind kind) throws IOException {
    Admin admin = session.admin();
    boolean major = kind == Kind.MAJOR;
    Optional<byte[]> family = family(arguments);
    CompactType type = type(arguments);
    Target target = Target.of(session, arguments, 0);
    if (target instanceof Target.OfTable of) {
      compact(admin, of.table(), family, type, kind);
    } else if (target instanceof Target.OfRegion of) {
      if (family.isEmpty() && major) {
        admin.majorCompactRegion(of.region());
      } else if (family.isEmpty()) {
        admin.compactRegion(of.region());
      } else if (major) {
        admin.majorCompactRegion(of.region(), family.get());
      } else {
        admin.compactRegion(of.region(), family.get());
      }
    } else {
      throw new ShellException("compact takes a table or a region; compact_rs takes a server");
    }
    return Value.NIL;
  }

  private static void compact(
      Admin admin, TableName table, Optional<byte[]> family, CompactType type, Kind kind)
      throws IOException {
    try {
      if (family.isEmpty() && kind == Kind.MAJOR) {
        admin.majorCompact(table, type);
      } else if (family.isEmpty()) {
        admin.compact(table, type);
      } else if (kind == Kind.MAJOR) {
        admin.majorCompact(table, family.get(), type);
      } else {
        admin.compact(table, family.get(), type);
      }
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("Interrupted").initCause(e);
    }
  }

  private static CompactType type(Arguments arguments) {
    return arguments
        .find(2)
        .map(value -> Conversions.letters(value, "The kind").toUpperCase(Locale.ROOT))
        .map(
            name ->
                switch (name) {
                  case "NORMAL" -> CompactType.NORMAL;
                  case "MOB" -> CompactType.MOB;
                  default ->
                      throw new ShellException("The kind must be 'NORMAL' or 'MOB', not " + name);
                })
        .orElse(CompactType.NORMAL);
  }

  private static Value compactionState(Session session, Arguments arguments) throws IOException {
    String state = session.admin().getCompactionState(Names.table(arguments)).name();
    session.output().line(state);
    return Text.of(state);
  }

  private static Value split(Session session, Arguments arguments) throws IOException {
    Admin admin = session.admin();
    Optional<byte[]> row = arguments.find(1).map(value -> Conversions.bytes(value, "The row"));
    Target target = Target.of(session, arguments, 0);
    if (target instanceof Target.OfTable of) {
      if (row.isPresent()) {
        admin.split(of.table(), row.get());
      } else {
        admin.split(of.table());
      }
    } else if (target instanceof Target.OfRegion of) {
      // The server splits on its own from here on.
      if (row.isPresent()) {
        admin.splitRegionAsync(of.region(), row.get());
      } else {
        admin.splitRegionAsync(of.region());
      }
    } else {
      throw new ShellException("split takes a table or a region");
    }
    return Value.NIL;
  }

  private static Value merge(Session session, Arguments arguments) throws IOException {
    List<byte[]> regions = new ArrayList<>();
    boolean forced = false;
    for (Value value : arguments.flat(0)) {
      if (value instanceof Value.Bool bool) {
        forced = bool.value();
      } else {
        regions.add(mergeable(Conversions.letters(value, "A region")));
      }
    }
    await(session.admin().mergeRegionsAsync(regions.toArray(byte[][]::new), forced));
    return Value.NIL;
  }

  /** Returns a region's name. Refuses others: the client's error would have only their hash. */
  private static byte[] mergeable(String name) {
    if (!Target.REGION.matcher(name).matches()) {
      throw new ShellException(
          name
              + " is not the name of a region: merge_region takes encoded names, as list_regions"
              + " 'TABLE' shows them");
    }
    return Bytes.toBytesBinary(name);
  }

  private static void await(Future<Void> future) throws IOException {
    try {
      future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Interrupts.check();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }
}
