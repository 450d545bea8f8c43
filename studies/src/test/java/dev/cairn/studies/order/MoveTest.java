package dev.cairn.studies.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.studies.DyingClient;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A customer's new address is seen with all orders, or, after a move that broke off, with some. */
class MoveTest {
  private static final int ORDERS = 200;
  private static final long CUSTOMER = 3;
  private static final String NEW = "1 New Street";
  private static final String OLD = Customer.of(CUSTOMER).address();

  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  private OrderDesign created;

  static Stream<OrderDesign> designs() {
    return new CustomerOrder().designs().stream().map(OrderDesign.class::cast);
  }

  private static boolean isNormalised(OrderDesign design) {
    return !(design instanceof Denormalised || design instanceof TableForQuestion);
  }

  @AfterEach
  void drop() throws IOException {
    for (NewTable table : created.tables(ORDERS)) {
      table.drop(CAIRN.admin());
    }
  }

  private void store(OrderDesign design) throws IOException {
    created = design;
    for (NewTable table : design.tables(ORDERS)) {
      table.create(CAIRN.admin());
    }
    try (FactWriter<Placed> writer = design.writer(CAIRN.connection())) {
      for (Placed placed : Placed.first(ORDERS).toList()) {
        writer.write(placed);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("designs")
  void allOrdersHaveTheNewAddress(OrderDesign design) throws IOException {
    store(design);
    design.move(CAIRN.connection(), CUSTOMER, NEW);
    for (Order order : Placed.first(ORDERS).map(Placed::order).toList()) {
      long customer = order.customer().number();
      Order expected =
          customer == CUSTOMER
              ? new Order(order.number(), order.time(), order.customer().at(NEW), order.items())
              : order;
      assertThat(design.order(CAIRN.connection(), customer, order.number())).isEqualTo(expected);
    }
    assertThat(addressesInOrders(design)).containsOnly(NEW);
    assertThat(addressesOnLabels(design)).containsOnly(NEW);
  }

  private static Set<String> addressesInOrders(OrderDesign design) throws IOException {
    Set<String> addresses = new HashSet<>();
    for (Order order : design.ordersOf(CAIRN.connection(), CUSTOMER)) {
      addresses.add(order.customer().address());
    }
    return addresses;
  }

  /** Returns what stands on the labels of the customer's orders. */
  private static Set<String> addressesOnLabels(OrderDesign design) throws IOException {
    Set<String> addresses = new HashSet<>();
    LocalDate day = Order.day(Placed.time(0));
    for (Label label : design.labels(CAIRN.connection(), day)) {
      if (label.name().equals(Customer.of(CUSTOMER).name())) {
        addresses.add(label.address());
      }
    }
    return addresses;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("designs")
  void aMoveOfAClientThatDiesFirstChangesNothing(OrderDesign design) throws IOException {
    store(design);
    Connection dying = new DyingClient(CAIRN.connection(), 0).connection();
    assertThatThrownBy(() -> design.move(dying, CUSTOMER, NEW)).isInstanceOf(IOException.class);
    assertThat(addressesInOrders(design)).containsOnly(OLD);
    assertThat(addressesOnLabels(design)).containsOnly(OLD);
  }

  @Test
  void normalisedDesignsMoveACustomerInOneWrite() throws IOException {
    for (OrderDesign design : designs().filter(MoveTest::isNormalised).toList()) {
      store(design);
      design.move(new DyingClient(CAIRN.connection(), 1).connection(), CUSTOMER, NEW);
      assertThat(addressesInOrders(design)).as(design.name()).containsOnly(NEW);
      drop();
    }
  }

  @Test
  void aTableForEachQuestionDisagreesAfterAMoveThatBrokeOff() throws IOException {
    OrderDesign design = new TableForQuestion();
    store(design);
    Connection dying = new DyingClient(CAIRN.connection(), 1).connection();
    assertThatThrownBy(() -> design.move(dying, CUSTOMER, NEW)).isInstanceOf(IOException.class);
    assertThat(List.of(addressesInOrders(design), addressesOnLabels(design)))
        .containsExactly(Set.of(NEW), Set.of(OLD));

    design.move(CAIRN.connection(), CUSTOMER, NEW);
    assertThat(addressesOnLabels(design)).as("the move, repeated").containsOnly(NEW);
  }
}
