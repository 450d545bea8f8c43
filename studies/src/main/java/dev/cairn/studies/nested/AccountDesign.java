package dev.cairn.studies.nested;

import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** A design for accounts: a method for each kind of question. */
interface AccountDesign extends Design<Booking, Ask> {
  /** Adds an entry and its amount to the balance; makes the account with its first entry. */
  void book(Connection connection, Booking booking) throws IOException;

  /** Returns an account with all entries. */
  Account account(Connection connection, long account) throws IOException;

  /** Returns a balance. */
  long balance(Connection connection, long account) throws IOException;

  /** Returns an entry. */
  Entry entry(Connection connection, long account, int number) throws IOException;

  /** Returns at most so many entries, the latest one first. */
  List<Entry> latest(Connection connection, long account, int limit) throws IOException;

  /** Gives an entry a text. */
  void correct(Connection connection, long account, int number, String text) throws IOException;

  @Override
  default FactWriter<Booking> writer(Connection connection) throws IOException {
    return new FactWriter<>() {
      @Override
      public void write(Booking booking) throws IOException {
        book(connection, booking);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  default List<?> answer(Connection connection, Ask asked) throws IOException {
    long account = asked.account();
    if (asked instanceof Ask.Whole) {
      return List.of(account(connection, account));
    }
    if (asked instanceof Ask.Balance) {
      return List.of(balance(connection, account));
    }
    if (asked instanceof Ask.One one) {
      return List.of(entry(connection, account, one.entry()));
    }
    if (asked instanceof Ask.Latest latest) {
      return latest(connection, account, latest.limit());
    }
    Ask.Correct correct = (Ask.Correct) asked;
    correct(connection, account, correct.entry(), correct.text());
    return List.of(asked);
  }
}
