package dev.cairn.coprocessor.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.split.SplitPolicy.Candidate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** A policy of HBase's API sees its region, and decides when and where it is split. */
class UserPolicyTest {
  private static final long MB = 1 << 20;

  private final Configuration settings = new Configuration(false);

  private UserPolicy policy(Class<?> type) throws HookFailedException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("a"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("b"))
            .build();
    return UserPolicy.of(
        PolicyClasses.load(type.getName()),
        settings,
        RegionInfoBuilder.newBuilder(table.getTableName()).build(),
        table);
  }

  private static Candidate region(long a, long b, int ofTable, long writes, long blocked) {
    return new Candidate(List.of(a, b), ofTable, writes, blocked, 0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
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
    for (Map.Entry<String, String> row : Map.of("abcd", "ab", "x", "x").entrySet()) {
      assertThat(policy.restrict(bytes(row.getKey()))).isEqualTo(bytes(row.getValue()));
    }
    assertThat(policy(Policies.Never.class).restrict(bytes("abcd"))).isEqualTo(bytes("abcd"));
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
    assertThat(policy.restrict(bytes("abcd"))).isEmpty();
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
