package dev.cairn.coprocessor.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.Test;

class HookSetTest {
  @Test
  void theHooksOfWritesAreHooks() {
    assertThat(Stream.of(RegionObserver.class.getMethods()).map(Method::getName))
        .containsAll(HookGroups.WRITES);
  }

  /** An interface between HBase's and the class. */
  interface Older extends RegionObserver {
    @Override
    default void prePut(
        ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {}
  }

  static class Base implements Older, EndpointObserver {}

  static final class Derived extends Base {
    @Override
    public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) {}

    /** No hook. */
    public void preOpen(String other) {}
  }

  /** Initialized by mistake, it would fail. */
  static final class Uninitialized implements RegionObserver {
    static final int NEVER = Integer.parseInt("never");
  }

  public static final class Hidden implements RegionCoprocessor, Older {}

  public static final class Given implements RegionCoprocessor, Older {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }
  }

  @Test
  void findsOverridesOfTheClassItsSuperclassesAndInterfaces() {
    assertThat(HookSet.of(Derived.class).hooks())
        .extracting(HookSet.Hook::toString)
        .containsExactlyInAnyOrder("RegionObserver.prePut", "RegionObserver.preOpen");
    assertThat(HookSet.of(Base.class).has(RegionObserver.class, "prePut")).isTrue();
    assertThat(HookSet.of(Base.class).has(RegionObserver.class, "preOpen")).isFalse();
    assertThat(HookSet.of(String.class).hooks()).isEmpty();
  }

  @Test
  void doesNotInitializeTheClass() {
    assertThat(HookSet.of(Uninitialized.class).hooks()).isEmpty();
  }

  @Test
  void hooksThatHBaseIsNotGivenDoNotCount() {
    assertThat(
            ClassRules.refusalOfObserver(ClassRules.REGION, Hidden.class, Hidden.class).isPresent())
        .isEqualTo(ClassRules.refusal(ClassRules.REGION, Given.class).isPresent());
    assertThat(ClassRules.refusal(ClassRules.REGION, Hidden.class)).isEmpty();
  }
}
