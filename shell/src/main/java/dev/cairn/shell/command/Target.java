package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Session;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The target of a tool: a table, a region or a server. The form of the name decides which. A table
 * may have the form of a region's encoded name; as in Apache's shell, a region of that name comes
 * first.
 */
sealed interface Target {
  /** A table. */
  record OfTable(TableName table) implements Target {}

  /** A region, by its name or its encoded name. */
  record OfRegion(byte[] region) implements Target {}

  /** A server. */
  record OfServer(ServerName server) implements Target {}

  /** The hash of a region's name, which may be the name of a table, too. */
  Pattern ENCODED = Pattern.compile("[0-9a-f]{32}|1588230740");

  /** The hash of a region's name, or the whole name with the hash at its end. */
  Pattern REGION =
      Pattern.compile(
          ENCODED + "|.*,.*,\\d+(_\\d+)?\\.[0-9a-f]{32}\\.|hbase:meta,,1", Pattern.DOTALL);

  /** Host, port and start code. */
  Pattern SERVER = Pattern.compile("[^,]+,\\d+,\\d+");

  /** Returns the target that an argument names. */
  static Target of(Session session, Arguments arguments, int index) throws IOException {
    String name = arguments.letters(index, "A table, region or server");
    if (REGION.matcher(name).matches()) {
      return isTableOnly(session, name)
          ? new OfTable(Names.table(name))
          : new OfRegion(region(arguments, index));
    } else if (SERVER.matcher(name).matches()) {
      return new OfServer(Names.server(name));
    }
    return new OfTable(Names.table(name));
  }

  /** Tells whether a name of a region's form is that of a table and of no region. */
  private static boolean isTableOnly(Session session, String name) throws IOException {
    if (!ENCODED.matcher(name).matches() || !session.admin().tableExists(Names.table(name))) {
      return false;
    }
    for (HRegionLocation region : MetaRows.regions(session)) {
      if (region.getRegion().getEncodedName().equals(name)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the name of a region, with \x00 for a byte that is not printable. */
  static byte[] region(Arguments arguments, int index) {
    return Bytes.toBytesBinary(arguments.letters(index, "The region"));
  }
}
