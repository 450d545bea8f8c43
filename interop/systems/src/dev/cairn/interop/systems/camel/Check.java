package dev.cairn.interop.systems.camel;

import dev.cairn.interop.systems.check.Report;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.hbase.processor.idempotent.HBaseIdempotentRepository;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** What a user of Camel's HBase component does: routes that put, get, scan, delete and consume. */
public final class Check {
  private final Report report = new Report();

  /** Arguments: the site's file, a folder for files. */
  public static void main(String[] arguments) throws Exception {
    Check check = new Check();
    check.all();
    check.report.end();
  }

  private void all() throws Exception {
    try (CamelContext context = new DefaultCamelContext()) {
      context.addRoutes(
          new RouteBuilder() {
            @Override
            public void configure() {
              from("direct:in").to("hbase:camel");
              from("direct:scan").to("hbase:camel?maxResults=100");
            }
          });
      context.start();
      ProducerTemplate template = context.createProducerTemplate();
      report.run(
          "puts 20 rows",
          () -> {
            for (int i = 0; i < 20; i++) {
              template.sendBodyAndHeaders(
                  "direct:in", null, headers("CamelHBasePut", "row" + i, "value" + i));
            }
          });
      report.equal("gets a row", "value7", () -> get(template, 7));
      report.equal(
          "scans",
          20L,
          () ->
              template
                  .request(
                      "direct:scan",
                      exchange ->
                          exchange.getIn().setHeaders(headers("CamelHBaseScan", null, null)))
                  .getMessage()
                  .getHeaders()
                  .keySet()
                  .stream()
                  .filter(header -> header.startsWith("CamelHBaseValue"))
                  .count());
      report.run(
          "deletes a row",
          () ->
              template.sendBodyAndHeaders(
                  "direct:in", null, headers("CamelHBaseDelete", "row7", null)));
      report.equal("… which is gone", null, () -> get(template, 7));
      report.equal(
          "a consumer reads all rows",
          true,
          () -> {
            context.addRoutes(
                new RouteBuilder() {
                  @Override
                  public void configure() {
                    from("hbase:camel?rowMapping.family=f&mappingStrategyName=body&remove=false")
                        .to("mock:rows");
                  }
                });
            MockEndpoint rows = context.getEndpoint("mock:rows", MockEndpoint.class);
            rows.expectedMinimumMessageCount(19);
            rows.assertIsSatisfied(60_000);
            return true;
          });
      Configuration configuration = HBaseConfiguration.create();
      report.equal(
          "a repository of messages that were seen",
          List.of(true, false, true, true, true),
          () -> {
            IdempotentRepository seen =
                new HBaseIdempotentRepository(configuration, "seen", "f", "q");
            seen.start();
            return List.of(
                seen.add("a"), seen.add("a"), seen.contains("a"), seen.remove("a"), seen.add("a"));
          });
    }
  }

  private static Map<String, Object> headers(String operation, String row, String value) {
    Map<String, Object> headers = new HashMap<>();
    headers.put("CamelHBaseOperation", operation);
    headers.put("CamelHBaseFamily", "f");
    headers.put("CamelHBaseQualifier", "q");
    if (row != null) {
      headers.put("CamelHBaseRowId", row);
    }
    if (value != null) {
      headers.put("CamelHBaseValue", value);
    }
    return headers;
  }

  private static Object get(ProducerTemplate template, int row) {
    Exchange exchange =
        template.request(
            "direct:in",
            message -> message.getIn().setHeaders(headers("CamelHBaseGet", "row" + row, null)));
    return exchange.getMessage().getHeader("CamelHBaseValue");
  }
}
