package dev.cairn.bench.engine;

import java.io.IOException;
import java.nio.file.Path;

/** The databases that are compared. */
enum Side {
  /** This engine. */
  CAIRN("Cairn"),
  /** RocksDB. */
  ROCKSDB("RocksDB"),
  /** A map of the JDK. */
  SKIP_LIST("skip list");

  private final String title;

  Side(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Makes a store without rows, whose files lie in {@code folder}. */
  RowStore open(Setting setting, Path folder) throws IOException {
    SampleRows sample = new SampleRows(setting.columns(), setting.valueBytes());
    return switch (this) {
      case CAIRN -> new CairnRows(setting, sample, folder);
      case ROCKSDB -> new RocksRows(setting, sample, folder);
      case SKIP_LIST -> new SkipListRows(sample);
    };
  }
}
