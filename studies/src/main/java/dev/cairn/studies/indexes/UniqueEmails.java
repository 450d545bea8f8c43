package dev.cairn.studies.indexes;

import dev.cairn.studies.NewTable;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A global unique index: no two users have the same e-mail address. A table has a row for each
 * address, with its owner, who is empty if the address is free; to claim an address is to put the
 * owner if there is none. A client claims the new address, writes the user, and frees the old
 * address. If it dies in between, an address stays claimed that no user has, until {@link #repair}.
 *
 * <p>Addresses are freed by puts. A deletion would also hide a claim of the same millisecond. One
 * thread.
 *
 * @param users the rows of users, with the address in {@code f:email}
 * @param emails the claims
 */
record UniqueEmails(Table users, Table emails) implements Closeable {
  static final TableName NAME = TableName.valueOf("emails");
  private static final byte[] FAMILY = Bytes.toBytes("o");
  private static final byte[] OWNER = Bytes.toBytes("owner");
  private static final byte[] FREE = {};
  private static final byte[] EMAIL = Bytes.toBytes("email");

  /** Opens the tables. */
  static UniqueEmails open(Connection connection) throws IOException {
    return new UniqueEmails(connection.getTable(UserTable.NAME), connection.getTable(NAME));
  }

  /** Returns the tables that are to be made. */
  static List<NewTable> tables() {
    return List.of(
        new NewTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build()),
        new NewTable(UserTable.descriptor().build()));
  }

  /**
   * Claims an address.
   *
   * @return whether the user owns it now; false if another user does
   */
  boolean claim(String email, String user) throws IOException {
    byte[] row = Bytes.toBytes(email);
    Put put = new Put(row).addColumn(FAMILY, OWNER, Bytes.toBytes(user));
    // An own claim, which an earlier attempt has left, is renewed: a repair may not take it away.
    return putIf(row, FREE, put) || putIf(row, Bytes.toBytes(user), put);
  }

  /** Puts an owner if the present one is as expected; a row that is not there is free. */
  private boolean putIf(byte[] row, byte[] expected, Put put) throws IOException {
    return emails
        .checkAndMutate(CheckAndMutate.newBuilder(row).ifEquals(FAMILY, OWNER, expected).build(put))
        .isSuccess();
  }

  /** Writes the address of a user, who owns it. */
  void write(String email, String user) throws IOException {
    users.put(
        new Put(Bytes.toBytes(user)).addColumn(UserTable.FAMILY, EMAIL, Bytes.toBytes(email)));
  }

  /** Returns the address of a user. */
  Optional<String> email(String user) throws IOException {
    Get get = new Get(Bytes.toBytes(user)).addColumn(UserTable.FAMILY, EMAIL);
    return Optional.ofNullable(users.get(get).getValue(UserTable.FAMILY, EMAIL))
        .map(Bytes::toString);
  }

  /** Returns the user who owns an address. */
  Optional<String> owner(String email) throws IOException {
    return Optional.ofNullable(emails.get(new Get(Bytes.toBytes(email))).getValue(FAMILY, OWNER))
        .map(Bytes::toString)
        .filter(owner -> !owner.isEmpty());
  }

  /**
   * Gives a user an address. One client at a time changes a user.
   *
   * @return false if another user owns it; nothing is changed then
   */
  boolean change(String user, String email) throws IOException {
    Optional<String> old = email(user);
    if (!claim(email, user)) {
      return false;
    }
    write(email, user);
    if (old.isPresent() && !old.get().equals(email)) {
      free(old.get(), user, HConstants.LATEST_TIMESTAMP);
    }
    return true;
  }

  /**
   * Frees an address, if the user owns it.
   *
   * @param timestamp of the put; claims that are later stay
   */
  private void free(String email, String user, long timestamp) throws IOException {
    byte[] row = Bytes.toBytes(email);
    putIf(row, Bytes.toBytes(user), new Put(row, timestamp).addColumn(FAMILY, OWNER, FREE));
  }

  /**
   * Frees addresses whose owners have others.
   *
   * @param before the time of the oldest change that may be in progress
   * @return how many were freed
   */
  int repair(long before) throws IOException {
    int freed = 0;
    try (ResultScanner claims = emails.getScanner(new Scan())) {
      for (Result claim : claims) {
        Cell owner = claim.getColumnLatestCell(FAMILY, OWNER);
        String user = Bytes.toString(CellUtil.cloneValue(owner));
        String email = Bytes.toString(claim.getRow());
        if (!user.isEmpty()
            && owner.getTimestamp() < before
            && !email(user).equals(Optional.of(email))) {
          free(email, user, owner.getTimestamp());
          freed++;
        }
      }
    }
    return freed;
  }

  @Override
  public void close() throws IOException {
    users.close();
    emails.close();
  }
}
