package dev.cairn.server.rpc.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/METHODS.md} lists the methods of the services that clients call. To generate it:
 * {@code mvn -pl server -am test -Dtest=MethodsPageTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dcairn.rewrite=true}.
 */
class MethodsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "METHODS.md");

  private static final String HEAD =
      """
      # Methods

      This page lists each method of the four services that clients of Apache HBase 2.6 call. A *refused* method answers
      with a `DoNotRetryIOException` that has the text given here. A served method does what HBase's does, apart from what
      the table says and from the differences in [COMPATIBILITY.md](COMPATIBILITY.md).

      """;

  private static final String FOOT =
      """

      This page is generated from the definitions in the code. `CONTRIBUTING.md` has the command.
      """;

  /** A service as Cairn and as HBase 2.6.4 declare it. */
  private record Service(MethodTable table, ServiceDescriptor protocol, int methods) {}

  private static final List<Service> SERVICES =
      List.of(
          new Service(MethodTables.MASTER, MasterService.getDescriptor(), 97),
          new Service(MethodTables.ADMIN, AdminService.getDescriptor(), 26),
          new Service(MethodTables.CLIENT, ClientService.getDescriptor(), 9),
          new Service(MethodTables.CLIENT_META, ClientMetaService.getDescriptor(), 5));

  @Test
  void thePageListsTheMethodsOfHBasesServices() throws IOException {
    StringBuilder page = new StringBuilder(HEAD).append("| service | served | refused |\n");
    page.append("| --- | --- | --- |\n");
    for (Service service : SERVICES) {
      List<String> methods =
          service.protocol().getMethods().stream().map(MethodDescriptor::getName).toList();
      assertThat(methods).hasSize(service.methods());
      assertThat(service.table().entries().stream().map(MethodTable.Entry::method))
          .as(service.table().service())
          .containsAll(methods);
      long served =
          methods.stream().filter(method -> service.table().find(method).isPresent()).count();
      page.append(
          "| [%1$s](#%2$s) | %3$d | %4$d |\n"
              .formatted(
                  service.table().service(),
                  service.table().service().toLowerCase(Locale.ROOT),
                  served,
                  service.methods() - served));
    }
    SERVICES.forEach(service -> page.append(section(service)));
    page.append(FOOT);
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).hasContent(page.toString());
  }

  /** The methods in the protocol's order. */
  private static String section(Service service) {
    StringBuilder lines = new StringBuilder("\n## " + service.table().service() + "\n");
    lines.append("| method | Cairn |\n| --- | --- |\n");
    for (MethodDescriptor method : service.protocol().getMethods()) {
      MethodTable.Entry entry =
          service.table().entries().stream()
              .filter(one -> one.method().equals(method.getName()))
              .findFirst()
              .orElseThrow();
      String verdict = entry.served() ? "served" : "refused";
      lines.append("| `").append(entry.method()).append("` | ").append(verdict);
      lines.append(entry.text().isEmpty() ? "" : ": ").append(entry.text()).append(" |\n");
    }
    return lines.toString();
  }
}
