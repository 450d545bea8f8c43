package dev.cairn.server.rpc.service;

import java.util.List;

/**
 * A read or a write of rows of one region.
 *
 * @param kind whether cells are read, written, or both
 * @param firstRow the lower bound of the rows, which may itself be excluded; empty for none
 * @param lastRow the upper bound of the rows, which may itself be excluded; empty for none
 * @param families the column families; empty for all
 * @param bytes the bytes of the request that belong to it, with its cells; 0 for reads
 */
public record RowAccess(
    Kind kind, byte[] firstRow, byte[] lastRow, List<byte[]> families, long bytes) {
  /** Kinds of access. */
  public enum Kind {
    READ,
    WRITE,
    /** A write that depends on cells that it reads: of an increment, or under a condition. */
    READ_AND_WRITE,
    /** A call of a coprocessor's service, whose access the request does not tell. */
    SERVICE
  }

  /** Returns the read of one row. */
  public static RowAccess read(byte[] row, List<byte[]> families) {
    return new RowAccess(Kind.READ, row, row, families, 0);
  }
}
