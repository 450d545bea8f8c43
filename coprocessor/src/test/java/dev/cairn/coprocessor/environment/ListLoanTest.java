package dev.cairn.coprocessor.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.server.rpc.service.CallMemory;
import dev.cairn.server.rpc.service.RpcCall;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what reads borrow for the lists of hooks. */
class ListLoanTest {
  private static final long MB = 1 << 20;

  private final List<Long> borrowed = new ArrayList<>();

  private PhaseTimes.Operation call() {
    Object memory =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {CallMemory.class},
            (proxy, method, arguments) -> {
              borrowed.add((Long) arguments[0]);
              return null;
            });
    return (PhaseTimes.Operation)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RpcCall.class, PhaseTimes.Operation.class},
            (proxy, method, arguments) -> memory);
  }

  @Test
  void aCallBorrowsForItsLargestList() {
    ListLoan loan = new ListLoan();
    try (PhaseTimes.Current current = PhaseTimes.enter(call())) {
      loan.cover(10, 1_000);
      assertThat(borrowed).as("small").isEmpty();
      loan.cover(0, MB);
      loan.cover(0, MB / 2);
      loan.cover(0, 3 * MB);
      assertThat(borrowed).containsExactly(MB, 2 * MB);
      borrowed.clear();
      loan.cover(MB, 0);
      assertThat(borrowed).as("a million cells without bytes").containsExactly(61 * MB);
    }
    borrowed.clear();
    loan.cover(0, MB);
    assertThat(borrowed).as("no call").isEmpty();
    try (PhaseTimes.Current current = PhaseTimes.enter(call())) {
      loan.cover(0, MB);
      assertThat(borrowed).as("the next call").containsExactly(MB);
    }
  }
}
