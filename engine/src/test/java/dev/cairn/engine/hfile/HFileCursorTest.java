package dev.cairn.engine.hfile;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellCursorContractTest;
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
    return reader.cursor(readers.size() % 2 == 0);
  }

  @AfterEach
  void closeFiles() throws IOException {
    for (HFileReader reader : readers) {
      reader.close();
    }
  }
}
