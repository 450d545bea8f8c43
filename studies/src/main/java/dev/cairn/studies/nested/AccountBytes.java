package dev.cairn.studies.nested;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Accounts as bytes: the owner, the balance, and the number, amount and text of each entry. */
final class AccountBytes {
  private AccountBytes() {}

  static byte[] write(Account account) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(account.owner());
    out.writeLong(account.balance());
    out.writeInt(account.entries().size());
    for (Entry entry : account.entries()) {
      out.writeInt(entry.number());
      out.writeLong(entry.cents());
      out.writeUTF(entry.text());
    }
    return bytes.toByteArray();
  }

  static Account read(long number, byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    String owner = in.readUTF();
    long balance = in.readLong();
    int count = in.readInt();
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(new Entry(in.readInt(), in.readLong(), in.readUTF()));
    }
    return new Account(number, owner, balance, entries);
  }
}
