package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The mutations, requests and cells of a {@link TextCase} as text. */
final class CaseText {
  private static final int COUNTER_BYTES = 8;

  private CaseText() {}

  /** Returns {@code row/family:qualifier/timestamp/Type=value}; a counter's value is a number. */
  static String of(Cell cell) {
    String key = cell.toString();
    String value = "";
    if (cell.valueLength() == COUNTER_BYTES && cell.value()[0] <= 0) {
      value = "=" + Bytes.getLong(cell.value(), 0);
    } else if (cell.valueLength() > 0) {
      value = "=" + Bytes.toStringBinary(cell.value());
    }
    return key.substring(0, key.lastIndexOf("/vlen")) + value;
  }

  /** Returns the bytes of a text, in which {@code \xNN} is one byte. */
  static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\x", i)) {
        bytes.write(Integer.parseInt(text.substring(i + 2, i + 4), 16));
        i += 3;
      } else {
        bytes.writeBytes(Bytes.utf8(text.substring(i, i + 1)));
      }
    }
    return bytes.toByteArray();
  }

  /** Returns the mutation of a command such as {@code put r f:q@1=a f:p=b}. */
  static Mutation mutation(String command) {
    String[] words = command.strip().split(" +");
    byte[] row = bytes(words[1]);
    CellBuffer cells = new CellBuffer();
    Mutation.Kind kind =
        switch (words[0]) {
          case "put" -> Mutation.Kind.PUT;
          case "increment" -> Mutation.Kind.INCREMENT;
          case "append" -> Mutation.Kind.APPEND;
          default -> Mutation.Kind.DELETE;
        };
    CellType type =
        switch (words[0]) {
          case "put", "increment", "append" -> CellType.PUT;
          case "delete-version" -> CellType.DELETE;
          case "delete-column" -> CellType.DELETE_COLUMN;
          case "delete-family", "delete-row" -> CellType.DELETE_FAMILY;
          case "delete-family-version" -> CellType.DELETE_FAMILY_VERSION;
          default -> throw new AssertionError("Unknown command: " + command);
        };
    List<String> rest = List.of(words).subList(2, words.length);
    Map<String, String> options = options(rest);
    TimeRange range = options.containsKey("time") ? timeRange(options.get("time")) : TimeRange.ALL;
    byte[] tags =
        options.containsKey("ttl")
            ? CellTags.withTtl(Bytes.EMPTY, Long.parseLong(options.get("ttl")))
            : Bytes.EMPTY;
    for (String word : rest) {
      if (!word.startsWith("time=") && !word.startsWith("ttl=")) {
        String value = word.contains("=") ? word.substring(word.indexOf('=') + 1) : "";
        String[] place = word.split("=")[0].split("@");
        String[] column = (place[0] + ":").split(":", -1);
        cells.add(
            row,
            bytes(column[0]),
            bytes(column[1]),
            place.length > 1 ? Long.parseLong(place[1]) : Cell.LATEST_TIMESTAMP,
            type.code(),
            kind == Mutation.Kind.INCREMENT ? Bytes.ofLong(Long.parseLong(value)) : bytes(value),
            tags);
      }
    }
    return new Mutation(
        kind, row, cells, Mutation.Durability.USE_DEFAULT, range, kind.isComputed());
  }

  /** Returns the options of a command, {@code name=value} or {@code name}. */
  static Map<String, String> options(List<String> words) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String word : words) {
      int at = word.indexOf('=');
      options.put(at < 0 ? word : word.substring(0, at), at < 0 ? "" : word.substring(at + 1));
    }
    return options;
  }

  /** Adds to {@code request} what {@code options} say. */
  static ScanRequest request(ScanRequest.Builder request, Map<String, String> options) {
    options.forEach(
        (name, value) -> {
          switch (name) {
            case "from" -> request.start(bytes(value), true);
            case "after" -> request.start(bytes(value), false);
            case "to" -> request.stop(bytes(value), false);
            case "through" -> request.stop(bytes(value), true);
            case "reversed" -> request.reversed(true);
            case "raw" -> request.raw(true);
            case "versions" ->
                request.maxVersions(
                    value.equals("all") ? Integer.MAX_VALUE : Integer.parseInt(value));
            case "time" -> request.timeRange(timeRange(value));
            case "limit", "offset" ->
                request.cellsPerFamily(
                    Integer.parseInt(options.getOrDefault("limit", "-1")),
                    Integer.parseInt(options.getOrDefault("offset", "0")));
            case "columns" -> select(request, value);
            case "filter" -> request.filter(new CaseFilter(value));
            case "batch" -> {
              // The one who reads takes it.
            }
            default -> throw new AssertionError("Unknown option: " + name);
          }
        });
    return request.build();
  }

  /** Selects {@code f:a,f:b,g} or, within a time range of the family's own, {@code f[1..3]}. */
  private static void select(ScanRequest.Builder request, String columns) {
    Map<String, FamilySelection> selections = new LinkedHashMap<>();
    for (String column : columns.split(",")) {
      String[] range = column.split("[\\[\\]]");
      String[] parts = range[0].split(":", -1);
      FamilySelection selection = selections.getOrDefault(parts[0], FamilySelection.ALL);
      if (parts.length > 1) {
        byte[][] all =
            selection.qualifiers().toArray(new byte[selection.qualifiers().size() + 1][]);
        all[all.length - 1] = bytes(parts[1]);
        selection = FamilySelection.of(all);
      }
      selections.put(
          parts[0], range.length > 1 ? selection.within(timeRange(range[1])) : selection);
    }
    selections.forEach((family, selection) -> request.family(bytes(family), selection));
  }

  private static TimeRange timeRange(String text) {
    String[] ends = text.split("\\.\\.", -1);
    return new TimeRange(
        ends[0].isEmpty() ? 0 : Long.parseLong(ends[0]),
        ends[1].isEmpty() ? Long.MAX_VALUE : Long.parseLong(ends[1]));
  }
}
