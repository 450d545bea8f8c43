package dev.cairn.studies.nested;

import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** The columns of an account. */
final class Columns {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final String OWNER_AND_BALANCE = "f:owner, f:balance";

  private static final byte[] OWNER = Bytes.toBytes("owner");
  private static final byte[] BALANCE = Bytes.toBytes("balance");

  private Columns() {}

  /** Adds the owner of an account if the entry is its first one. */
  static Put addOwner(Put put, Booking booking) {
    return booking.entry().number() == 1
        ? put.addColumn(FAMILY, OWNER, Bytes.toBytes(Account.owner(booking.account())))
        : put;
  }

  /** Adds to the balance in the server, which needs no read in the client. */
  static Increment addToBalance(byte[] row, Booking booking) {
    return new Increment(row)
        .addColumn(FAMILY, BALANCE, booking.entry().cents())
        .setReturnResults(false);
  }

  static String owner(Result row) {
    return Bytes.toString(row.getValue(FAMILY, OWNER));
  }

  static long balance(Result row) {
    return Bytes.toLong(row.getValue(FAMILY, BALANCE));
  }
}
