package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.quotas.QuotaFilter;
import org.apache.hadoop.hbase.quotas.QuotaSettings;

/** Writes quotas as {@code list_quotas} and {@code describe} print them. */
final class QuotaText {
  private static final TableName TABLE = TableName.valueOf("hbase:quota");

  private QuotaText() {}

  /** Prints the quotas of a table after its description. */
  static void printOf(Session session, TableName table) throws IOException {
    print(session, new QuotaFilter().setTableFilter(table.getNameAsString()));
  }

  /** Prints the quotas of a namespace after its description. */
  static void printOf(Session session, String namespace) throws IOException {
    print(session, new QuotaFilter().setNamespaceFilter(namespace));
  }

  private static void print(Session session, QuotaFilter filter) throws IOException {
    if (!session.admin().tableExists(TABLE)) {
      session.output().report(List.of("Quota is disabled"), Map.of("quotas_enabled", false));
      return;
    }
    Rows rows = session.output().table(List.of("QUOTAS"));
    List<QuotaSettings> quotas = find(session, filter);
    quotas.forEach(quota -> rows.add(List.of(quota.toString())));
    session.output().footer(quotas.size());
  }

  /** Returns the quotas that a filter names; none if the server has no quotas. */
  static List<QuotaSettings> find(Session session, QuotaFilter filter) throws IOException {
    return session.admin().tableExists(TABLE) ? session.admin().getQuota(filter) : List.of();
  }

  /** Returns the subject of a quota. */
  static String owner(QuotaSettings quota) {
    List<String> owner = new ArrayList<>();
    add(owner, "USER", quota.getUserName());
    add(owner, "TABLE", quota.getTableName());
    add(owner, "NAMESPACE", quota.getNamespace());
    add(owner, "REGIONSERVER", quota.getRegionServer());
    return String.join(", ", owner);
  }

  private static void add(List<String> owner, String kind, Object name) {
    if (name != null) {
      owner.add(kind + " => " + name);
    }
  }
}
