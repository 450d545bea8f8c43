package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.TestFilter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A filter written as text: {@code SKIP:q,NEXT_ROW:p@3,SEEK_TO_HINT:a>c}. The first decision that
 * names a cell's qualifier (and timestamp) holds; other cells are included. {@code >} names the
 * column of a hint.
 */
final class CaseFilter extends TestFilter {
  private final Map<String, Decision> decisions = new LinkedHashMap<>();
  private final Map<String, String> hints = new LinkedHashMap<>();

  CaseFilter(String text) {
    for (String part : text.split(",")) {
      String[] words = part.split("[:>]");
      decisions.put(words[1], Decision.valueOf(words[0]));
      if (words.length > 2) {
        hints.put(words[1], words[2]);
      }
    }
  }

  private Optional<String> rule(Cell cell) {
    String qualifier = Bytes.utf8(cell.qualifier());
    return decisions.keySet().stream()
        .filter(name -> name.equals(qualifier) || name.equals(qualifier + "@" + cell.timestamp()))
        .findFirst();
  }

  @Override
  public Decision filterCell(Cell cell) {
    return rule(cell).map(decisions::get).orElse(Decision.INCLUDE);
  }

  @Override
  public Optional<Cell> hint(Cell cell) {
    return rule(cell)
        .map(hints::get)
        .map(column -> Cell.firstOnColumn(cell.row(), cell.family(), Bytes.utf8(column)));
  }
}
