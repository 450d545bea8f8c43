package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.util.Bytes;

/** The tools that open, close, move and show regions. */
final class AssignmentTools {
  private AssignmentTools() {}

  static void declare(Declarations tools) {
    tools
        .add(
            "assign",
            1,
            1,
            "Opens a region on some server.",
            (session, arguments) -> {
              session.admin().assign(Target.region(arguments, 0));
              return Value.NIL;
            },
            "assign 'REGION_NAME'")
        .add(
            "unassign",
            1,
            2,
            "Closes a region; it stays closed until assign opens it.",
            AssignmentTools::unassign,
            "unassign 'REGION_NAME'")
        .add(
            "close_region",
            1,
            2,
            "Is refused; use unassign to close a region.",
            (session, arguments) -> {
              throw new ShellException("DEPRECATED!!! Use 'unassign' command instead.");
            },
            "unassign 'REGION_NAME'")
        .add(
            "move",
            1,
            2,
            "Moves a region to a server, or to one that the master chooses.",
            AssignmentTools::move,
            "move 'ENCODED_REGION_NAME'",
            "move 'ENCODED_REGION_NAME', 'host1,16020,1700000000000'")
        .add(
            "truncate_region",
            1,
            1,
            "Removes the data of a region.",
            (session, arguments) -> {
              session.admin().truncateRegion(Target.region(arguments, 0));
              return Value.NIL;
            },
            "truncate_region 'REGION_NAME'")
        .add(
            "regioninfo",
            1,
            1,
            "Prints the row of hbase:meta that describes a region.",
            AssignmentTools::info,
            "regioninfo 'ENCODED_REGION_NAME'",
            "regioninfo 'hbase:meta,,1'")
        .add(
            "rit",
            0,
            0,
            "Lists the regions that open, close, split or merge at the moment.",
            AssignmentTools::inTransition,
            "rit");
  }

  private static Value unassign(Session session, Arguments arguments) throws IOException {
    session.admin().unassign(Target.region(arguments, 0));
    if (arguments.find(1).isPresent()) {
      session.output().line("The second argument of unassign has no effect since HBase 2.");
    }
    return Value.NIL;
  }

  private static Value move(Session session, Arguments arguments) throws IOException {
    byte[] region = Target.region(arguments, 0);
    if (arguments.find(1).isPresent()) {
      session.admin().move(region, Names.server(arguments.letters(1, "The server")));
    } else {
      session.admin().move(region);
    }
    return Value.NIL;
  }

  private static Value info(Session session, Arguments arguments) throws IOException {
    String wanted = arguments.letters(0, "The region");
    byte[] name = Target.region(arguments, 0);
    for (var region : MetaRows.regions(session)) {
      if (region.getRegion().getEncodedName().equals(wanted)
          || region.getRegion().getRegionNameAsString().equals(wanted)
          || Bytes.equals(region.getRegion().getRegionName(), name)) {
        Rows rows = session.output().table(List.of("HOST", "REGION"));
        rows.add(List.of(String.valueOf(region.getServerName()), region.getRegion().toString()));
        session.output().footer(1);
        return Value.NIL;
      }
    }
    throw new ShellException("Unknown region " + wanted + "!");
  }

  private static Value inTransition(Session session, Arguments arguments) throws IOException {
    List<RegionState> states =
        session
            .admin()
            .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.REGIONS_IN_TRANSITION))
            .getRegionStatesInTransition();
    Rows rows = session.output().table(List.of());
    states.forEach(state -> rows.add(List.of(state.toDescriptiveString())));
    session.output().footer(states.size());
    return Value.NIL;
  }
}
