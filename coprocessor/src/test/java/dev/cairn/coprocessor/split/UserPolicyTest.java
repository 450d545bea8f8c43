package dev.cairn.coprocessor.split;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.coprocessor.Lines;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.split.SplitPolicy.Candidate;
import dev.cairn.server.split.SplitPolicy.Point;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A policy of HBase's API sees its region, and decides when and where it is split. */
class UserPolicyTest {
  private static final long MB = 1 << 20;

  private final Configuration settings = new Configuration(false);
  private final Lines log = new Lines(UserPolicy.class);

  @AfterEach
  void close() {
    log.close();
  }

  private UserPolicy policy(Class<?> type) throws HookFailedException {
    return policy(type, UserPolicy.LIMIT_MILLIS);
  }

  private UserPolicy policy(Class<?> type, long limitMillis) throws HookFailedException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("a"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("b"))
            .build();
    return UserPolicy.of(
        PolicyClasses.load(type.getName()),
        settings,
        RegionInfoBuilder.newBuilder(table.getTableName()).build(),
        table,
        limitMillis);
  }

  private static Candidate region(long a, long b, int ofTable, long writes, long blocked) {
    return new Candidate(List.of(a, b), ofTable, writes, blocked, 0, Optional::empty);
  }

  /** A region with a file and this middle. */
  private static Candidate at(String middle) {
    return new Candidate(List.of(1L, 0L), 1, 0, 0, 0, () -> Optional.of(bytes(middle)));
  }

  private static String row(UserPolicy policy, Candidate region) {
    return policy.point(region).row().map(row -> new String(row, UTF_8)).orElse("none");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void thePolicyThatItExtendsCountsTheRegionsOfTheTable() throws HookFailedException {
    settings.set("hbase.hregion.max.filesize.jitter", "0");
    UserPolicy policy = policy(Policies.Cut.class);
    assertThat(policy.shouldSplit(region(0, 257 * MB, 1, 0, 0))).isTrue();
    assertThat(policy.shouldSplit(region(0, 255 * MB, 1, 0, 0))).isFalse();
    assertThat(policy.shouldSplit(region(0, 257 * MB, 2, 0, 0))).isFalse();
    assertThat(policy.shouldSplit(region(10241 * MB, 0, 2, 0, 0))).isTrue();
  }

  @Test
  void thePolicyChangesTheRow() throws HookFailedException {
    UserPolicy policy = policy(Policies.Cut.class);
    assertThat(row(policy, at("abcd"))).isEqualTo("ab");
    assertThat(row(policy, at("x"))).isEqualTo("x");
    assertThat(policy.point(region(1, 1, 1, 0, 0)).refusal())
        .hasValue("its split policy " + Policies.Cut.class.getName() + " names no row");
  }

  @Test
  void aPolicyMayForbidSplitsOnRequest() throws HookFailedException {
    UserPolicy policy = policy(Policies.Never.class);
    String reason = "its split policy " + Policies.Never.class.getName() + " does not allow it";
    assertThat(policy.refusal(at("x"))).hasValue(reason);
    assertThat(policy.point(at("x"))).isEqualTo(Point.none(reason));
    assertThat(policy(Policies.Cut.class).refusal(at("x"))).isEmpty();
  }

  @Test
  void thePolicyNeedsNoMiddleAndNoPublicConstructor() throws HookFailedException {
    assertThat(row(policy(Policies.Own.class), region(0, 0, 1, 0, 0))).isEqualTo("500");
  }

  @Test
  void thePolicySeesTheSameRegionWhateverItIsAsked() throws HookFailedException {
    UserPolicy telling = policy(Policies.Telling.class);
    assertThat(row(telling, region(3, 7, 1, 42, 0))).isEqualTo("42 7");
    assertThat(row(telling, region(0, 0, 1, 43, 0))).isEqualTo("43 0");
    assertThat(policy(Policies.Middle.class).shouldSplit(at("z"))).isTrue();
    assertThat(policy(Policies.Middle.class).shouldSplit(at("a"))).isFalse();
  }

  @Test
  void aPolicyThatDoesNotReturnKeepsNobody() throws HookFailedException {
    Policies.Stuck.STARTED.set(0);
    Policies.Stuck.release = new CountDownLatch(1);
    UserPolicy policy = policy(Policies.Stuck.class, 5_000); // its start has the same limit
    assertThat(policy.shouldSplit(at("x"))).isFalse();
    await().until(() -> Policies.Stuck.STARTED.get() == 1001); // interrupted
    assertThat(policy.point(at("x")).refusal().orElseThrow())
        .endsWith("has not returned from an earlier call");
    assertThat(policy.shouldSplit(at("x"))).isFalse();
    assertThat(Policies.Stuck.STARTED).as("one thread").hasValue(1001);
    assertThat(log.all()).hasSize(1);
    Policies.Stuck.release.countDown();
    await().until(() -> policy.point(at("x")).row().isPresent());
  }

  @Test
  void aClassThatDoesNotStartInTimeCannotBeUsed() {
    assertThatThrownBy(() -> policy(Policies.Slow.class, 1))
        .isInstanceOf(HookFailedException.class)
        .hasMessageContaining("has not returned within 1 ms");
    Policies.Slow.RELEASE.countDown();
  }

  @Test
  void settingsOfTheTableAreThePolicys() throws HookFailedException {
    settings.set("test.size", "5");
    UserPolicy policy = policy(Policies.Eager.class);
    assertThat(policy.shouldSplit(region(5, 5, 1, 0, 0))).isFalse();
    assertThat(policy.shouldSplit(region(5, 6, 1, 0, 0))).isTrue();
  }

  @Test
  void thePolicySeesTheCountsOfWrites() throws HookFailedException {
    UserPolicy policy = policy(Policies.Counting.class);
    assertThat(policy.shouldSplit(region(0, 0, 1, 10, 0))).isFalse();
    assertThat(policy.shouldSplit(region(0, 0, 1, 9, 1))).isFalse();
    assertThat(policy.shouldSplit(region(0, 0, 1, 10, 1))).isTrue();
  }

  @Test
  void aPolicyThatFailsSplitsNothing() throws HookFailedException {
    UserPolicy policy = policy(Policies.Failing.class);
    assertThat(policy.shouldSplit(region(1 << 30, 0, 1, 0, 0))).isFalse();
    assertThat(policy.point(at("abcd")).refusal().orElseThrow())
        .startsWith("the split policy " + Policies.Failing.class.getName() + " failed: ")
        .contains("getReadRequestsCount");
    assertThat(log.all()).as("once").hasSize(1);
  }

  @Test
  void otherClassesAreNamedWithTheReason() {
    assertThatThrownBy(() -> policy(String.class))
        .hasMessage("java.lang.String is no RegionSplitPolicy");
    assertThatThrownBy(() -> policy(Policies.WithParameter.class))
        .hasMessageStartingWith("the split policy " + Policies.WithParameter.class.getName());
    assertThatThrownBy(() -> PolicyClasses.load("a.B"))
        .hasMessage("the split policy a.B cannot be loaded: java.lang.ClassNotFoundException: a.B");
  }
}
