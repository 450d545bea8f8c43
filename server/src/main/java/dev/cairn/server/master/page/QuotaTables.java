package dev.cairn.server.master.page;

import dev.cairn.server.catalog.QuotaContents;
import dev.cairn.server.page.Facts;
import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.quota.ThrottleSetting;
import java.util.List;
import java.util.Locale;

/** Shows the limits on requests in {@code hbase:quota}. Stateless. */
final class QuotaTables {
  private QuotaTables() {}

  /** Returns the limits, and the switches that apply to all of them. */
  static List<Section> throttles(QuotaContents contents) {
    Value counts =
        contents.throttlesCount()
            ? Value.state(Level.GOOD, "in force")
            : Value.state(Level.WARN, "turned off");
    return List.of(
        new Facts(
            "switches",
            "Switches",
            List.of(
                new Fact("throttles", "Limits on requests", counts),
                new Fact(
                    "exceed",
                    "May be exceeded while a server has capacity to spare",
                    Value.text(contents.mayExceed() ? "yes" : "no")))),
        table(ThrottleSetting.of(contents.settings())));
  }

  private static Table<ThrottleSetting> table(List<ThrottleSetting> settings) {
    return Table.of("throttles", "Limits on requests", settings)
        .column("limited", "Limited", Kind.NAME, one -> Value.name(one.limited()))
        .text("kind", "What", one -> one.kind().toLowerCase(Locale.ROOT).replace('_', ' '))
        .column(
            "limit",
            "Limit",
            Kind.COUNT,
            one -> one.limit().isPresent() ? Value.count(one.limit().getAsLong()) : Value.NONE)
        .text("unit", "In a", one -> one.unit().replaceAll("s$", ""))
        .text("scope", "Counted by", ThrottleSetting::scope)
        .whenEmpty("No user, table, namespace or region server has a limit on requests.")
        .build();
  }
}
