package dev.cairn.engine.hfile.reader;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellCursorContractTest;
import dev.cairn.engine.hfile.HFiles;
import dev.cairn.engine.hfile.MapStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class HFileCursorTest extends CellCursorContractTest {
  private final List<HFileReader> readers = new ArrayList<>();

  @Override
  protected CellCursor open(List<Cell> cells) throws IOException {
    MapStorage storage = new MapStorage();
    HFiles.write(storage, "file", HFiles.plain(), cells);
    HFileReader reader = HFiles.open(storage, "file");
    readers.add(reader);
    boolean cached = readers.size() % 2 == 0;
    if (cached && readers.size() % 4 == 0) {
      // A block that is asked for again has tables that it did not have before.
      readAll(reader);
      readAll(reader);
    }
    return reader.cursor(cached);
  }

  private static void readAll(HFileReader reader) throws IOException {
    try (CellCursor cursor = reader.cursor(true)) {
      boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
      while (on) {
        on = cursor.next();
      }
    }
  }

  @AfterEach
  void closeFiles() throws IOException {
    for (HFileReader reader : readers) {
      reader.close();
    }
  }
}
