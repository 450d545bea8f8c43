package dev.cairn.server.master.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.rpc.LoggedLines;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitSettings;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the warnings in the log about a table that is created or changed. */
class SchemaRulesTest {
  private final SchemaRules rules =
      new SchemaRules(
          schema -> {},
          true,
          new SplitPolicies(SplitSettings.DEFAULTS),
          new SchemaReview(Set.of()),
          StoreFileTracking.Kind.DEFAULT);
  @RegisterExtension private final LoggedLines log = new LoggedLines(SchemaRules.class);

  @Test
  void anAttributeWithoutEffectIsLoggedWhenTheTableIsCreated() {
    rules.warn(table(Map.of("CACHE_DATA_ON_WRITE", "true", "VERSIONS", "3")), Optional.empty());
    assertThat(log.all())
        .singleElement()
        .asString()
        .startsWith("WARN Table t: Column family f: CACHE_DATA_ON_WRITE = true has no effect.");
  }

  @Test
  void aChangeLogsOnlyNewAttributes() {
    TableSchema present = table(Map.of("CACHE_DATA_ON_WRITE", "true"));
    rules.warn(table(Map.of("CACHE_DATA_ON_WRITE", "true", "TTL", "60")), Optional.of(present));
    assertThat(log.all()).isEmpty();
    rules.warn(
        table(Map.of("CACHE_DATA_ON_WRITE", "true", "REPLICATION_SCOPE", "1")),
        Optional.of(present));
    assertThat(log.all()).singleElement().asString().contains("REPLICATION_SCOPE = 1");
  }

  private static TableSchema table(Map<String, String> attributes) {
    return TableSchema.of(TableName.parse("t"), FamilySchema.of("f", attributes));
  }
}
