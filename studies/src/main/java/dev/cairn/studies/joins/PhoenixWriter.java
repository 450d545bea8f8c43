package dev.cairn.studies.joins;

import dev.cairn.studies.BatchWriter;
import dev.cairn.studies.FactWriter;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Stores customers and orders by Phoenix, in transactions of a batch. One thread. */
final class PhoenixWriter implements FactWriter<Fact> {
  private final Connection connection;
  private final PreparedStatement customers;
  private final PreparedStatement orders;
  private int count;

  /** Creates it, on a connection that it closes. */
  PhoenixWriter(Connection connection) throws SQLException {
    this.connection = connection;
    connection.setAutoCommit(false);
    customers = connection.prepareStatement("UPSERT INTO join_customers VALUES (?, ?, ?)");
    orders = connection.prepareStatement("UPSERT INTO join_orders VALUES (?, ?, ?, ?)");
  }

  @Override
  public void write(Fact fact) throws IOException {
    try {
      if (fact instanceof Fact.Customer customer) {
        customers.setString(1, customer.customer());
        customers.setString(2, customer.name());
        customers.setString(3, customer.country());
        customers.executeUpdate();
      } else {
        Fact.Order order = (Fact.Order) fact;
        orders.setString(1, order.customer());
        orders.setLong(2, order.order());
        orders.setString(3, order.product());
        orders.setLong(4, order.amount());
        orders.executeUpdate();
      }
      if (++count % BatchWriter.SIZE == 0) {
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    try (Connection closed = connection) {
      closed.commit();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
