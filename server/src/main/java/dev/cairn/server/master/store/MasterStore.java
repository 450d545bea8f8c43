package dev.cairn.server.master.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The durable state of the master: its procedures, servers and switches. Small. One thread at a
 * time.
 */
public interface MasterStore extends Closeable {
  /** A kind of entries. */
  enum Section {
    /** This server's procedures; the row is the procedure's id, 8 bytes. */
    PROCEDURE,
    /** Everything else, by name. */
    STATE,
    /**
     * Region servers that may have regions, by name, as HBase's master lists them too: at its start
     * it takes those that are gone for dead, and gives their regions new homes.
     */
    SERVER,
    /**
     * The location of {@code hbase:meta}: the columns of the family {@code info} that other regions
     * have in {@code hbase:meta}; the row is the column's qualifier.
     */
    META,
    /** The procedures of HBase's master; the row is the procedure's id, 8 bytes. */
    FOREIGN_PROCEDURE
  }

  /**
   * One change.
   *
   * @param row the entry's key within its section
   * @param value the entry's new value; empty to remove it
   */
  record Change(Section section, byte[] row, Optional<byte[]> value) {}

  /**
   * One entry.
   *
   * @param row its key within its section
   * @param value its value
   */
  record Entry(byte[] row, byte[] value) {}

  /**
   * Makes all changes or none, and returns once they survive a kill.
   *
   * @throws dev.cairn.engine.wal.WalStalledException if the disk is full, and nothing was done
   * @throws dev.cairn.engine.region.write.WriteUndecidedException if the disk is full, and they may
   *     be made when there is room; making them again does no harm
   */
  void apply(List<Change> changes) throws IOException;

  /** Flushes memory to files, so that the log is not needed any more. */
  void flush() throws IOException;

  /** Returns all entries of {@code section}, ordered by row. */
  List<Entry> read(Section section) throws IOException;
}
