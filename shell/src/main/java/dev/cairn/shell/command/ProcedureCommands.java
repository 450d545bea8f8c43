package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** The commands of the group procedures. */
final class ProcedureCommands {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss Z");

  private ProcedureCommands() {}

  static List<Command> all() {
    return new Declarations(Group.PROCEDURES)
        .add(
            "list_procedures",
            0,
            0,
            "Lists the master's procedures: those that run, and the last ones that ended.",
            ProcedureCommands::procedures,
            "list_procedures")
        .add(
            "list_locks",
            0,
            0,
            "Lists the locks of procedures on tables, regions and namespaces.",
            ProcedureCommands::locks,
            "list_locks")
        .add(
            "abort_procedure",
            1,
            2,
            "Asks a procedure to end; tells whether it will. true as the second argument interrupts"
                + " it.",
            ProcedureCommands::abort,
            "abort_procedure 17")
        .all();
  }

  private static Value procedures(Session session, Arguments arguments) throws IOException {
    JsonArray procedures = JsonParser.parseString(session.admin().getProcedures()).getAsJsonArray();
    var rows =
        session
            .output()
            .table(List.of("PID", "Name", "State", "Submitted", "Last_Update", "Parameters"));
    ZoneId zone = session.clock().getZone();
    for (JsonElement element : procedures) {
      JsonObject procedure = element.getAsJsonObject();
      rows.add(
          List.of(
              text(procedure, "procId"),
              text(procedure, "className"),
              text(procedure, "state"),
              time(procedure, "submittedTime", zone),
              time(procedure, "lastUpdate", zone),
              String.valueOf(procedure.get("stateMessage"))));
    }
    session.output().footer(procedures.size());
    return Value.NIL;
  }

  private static String text(JsonObject procedure, String field) {
    return procedure.has(field) ? procedure.get(field).getAsString() : "";
  }

  private static String time(JsonObject procedure, String field, ZoneId zone) {
    return procedure.has(field)
        ? TIME.format(Instant.ofEpochMilli(procedure.get(field).getAsLong()).atZone(zone))
        : "";
  }

  private static Value locks(Session session, Arguments arguments) throws IOException {
    JsonArray locks = JsonParser.parseString(session.admin().getLocks()).getAsJsonArray();
    List<String> names = new ArrayList<>();
    for (JsonElement element : locks) {
      JsonObject lock = element.getAsJsonObject();
      String name = text(lock, "resourceType") + "(" + text(lock, "resourceName") + ")";
      session.output().line(name + " " + lock);
      names.add(name);
    }
    return Value.texts(names);
  }

  @SuppressWarnings("deprecation") // HBase 2 has no other call
  private static Value abort(Session session, Arguments arguments) throws IOException {
    boolean aborted =
        session
            .admin()
            .abortProcedure(
                arguments.number(0, "The procedure"),
                arguments.find(1).isEmpty() || arguments.bool(1, "Whether to interrupt"));
    session.output().answer(Value.of(aborted));
    return Value.of(aborted);
  }
}
