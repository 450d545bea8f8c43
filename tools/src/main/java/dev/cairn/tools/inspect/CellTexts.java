package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import java.util.ArrayList;
import java.util.List;

/** Parts of cells in the form in which HBase's tools print them. */
final class CellTexts {
  private CellTexts() {}

  /** Returns the name of a cell's type. */
  static String type(Cell cell) {
    return switch (cell.typeCode()) {
      case 4 -> "Put";
      case 8 -> "Delete";
      case 10 -> "DeleteFamilyVersion";
      case 12 -> "DeleteColumn";
      case 14 -> "DeleteFamily";
      case 255 -> "Maximum";
      case 0 -> "Minimum";
      default -> "Unknown(" + cell.typeCode() + ")";
    };
  }

  /** Returns each tag as {@code type:value}; what follows a malformed tag is left out. */
  static List<String> tags(Cell cell) {
    List<String> texts = new ArrayList<>();
    forEachTag(
        cell,
        (type, offset, length) ->
            texts.add(type + ":" + Bytes.toStringBinary(cell.bytes(), offset, length)));
    return texts;
  }

  /** Shows each tag to {@code visitor}. */
  static void forEachTag(Cell cell, TagVisitor visitor) {
    byte[] bytes = cell.bytes();
    int at = cell.tagsOffset();
    int end = at + cell.tagsLength();
    while (cell.tagsLength() > 0 && end - at > 2) {
      int length = Bytes.getUnsignedShort(bytes, at);
      if (length < 1 || length > end - at - 2) {
        return;
      }
      visitor.visit(bytes[at + 2] & 0xFF, at + 3, length - 1);
      at += 2 + length;
    }
  }

  /** Receives one tag: its type, and the position of its value in the cell's array. */
  interface TagVisitor {
    void visit(int type, int offset, int length);
  }
}
