package dev.cairn.interop.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.time.Effort;
import dev.cairn.testing.CairnServer;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.TextFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Messages with faults, to every method of every service, drawn from a printed seed: each is
 * answered. An error has a class that HBase's clients know and tells of the message, not of the
 * server's inside; nothing of a refused request is done; and others are served as before.
 *
 * <p>{@code -Dcairn.rounds=N} sends N messages to each method, {@code -Dcairn.seed=N} repeats a
 * run, {@code -Dcairn.method=Service.Method} sends to one method alone.
 */
@Tag("forms")
class MutatedMessagesTest {
  private static final int ROUNDS = Effort.rounds(10, 250);
  private static final long SEED = Long.getLong("cairn.seed", System.nanoTime());
  private static final String ONLY = System.getProperty("cairn.method", "");
  private static final TableName DATA = TableName.valueOf("t");
  private static final TableName KEPT = TableName.valueOf("kept");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  /** What a server that lost its way says, under whatever class. */
  private static final Pattern INSIDE =
      Pattern.compile(
          "NullPointerException|ClassCastException|IndexOutOfBounds|IllegalStateException"
              + "|NumberFormatException|UnsupportedOperationException|NegativeArraySize"
              + "|OutOfMemoryError|ConcurrentModification|ArithmeticException|NoSuchElement"
              + "|BufferUnderflow|BufferOverflow|AssertionError|The server failed on this call"
              + "|StringIndex|MatchException|ArrayStoreException|UncheckedIOException|NoClassDef");

  /** A line of a stack trace that says where; what was thrown stands on lines of their own. */
  private static final Pattern FRAME = Pattern.compile("(?m)^\\s+at .*$");

  /** Behind an error that says which number is none. */
  private static final String NO_NUMBER = "Caused by: java.lang.NumberFormatException";

  private static CairnServer server;
  private static Connection client;
  private static Admin admin;
  private static Map<String, ServiceMethods.Served> served;
  private static List<Sample> samples;

  private final Random random = new Random(SEED);
  private final MessageMutator mutator = new MessageMutator(random);
  private int names;
  private TableName victim = TableName.valueOf("v0");

  @BeforeAll
  static void start() throws IOException {
    System.out.println("MutatedMessagesTest: -Dcairn.seed=" + SEED);
    server = CairnServer.start();
    client = server.connect();
    admin = client.getAdmin();
    create(DATA);
    create(KEPT);
    admin.createNamespace(org.apache.hadoop.hbase.NamespaceDescriptor.create("ns").build());
    try (Table table = client.getTable(DATA)) {
      for (int i = 1; i <= 3; i++) {
        table.put(
            new Put(Bytes.toBytes("r" + i))
                .addColumn(F, Bytes.toBytes("q1"), 10, Q)
                .addColumn(F, Bytes.toBytes("q2"), 20, Q)
                .addColumn(Bytes.toBytes("g"), Q, 30, Q));
      }
    }
    served =
        ServiceMethods.of(
            server.endpoints().master().host(),
            List.of(server.endpoints().regionServer().port(), server.endpoints().master().port()));
    samples = Sample.all();
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    client.close();
    server.close();
  }

  @Test
  void everyMethodHasASample() {
    TreeSet<String> sampled = new TreeSet<>(samples.stream().map(Sample::name).toList());
    assertThat(sampled)
        .as("methods in hostile/samples.txt, and those that the server answers")
        .containsExactlyElementsOf(new TreeSet<>(served.keySet()));
  }

  @Test
  void aTableThatIsTooLargeToWriteDownIsRefused() throws IOException {
    TableDescriptor large =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("large"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("note", "x".repeat(11 << 20))
            .build();
    assertThatThrownBy(() -> admin.createTable(large))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(" bytes, and at most ");
    othersAreServed("a table that is too large");
  }

  @Test
  void eachIsAnsweredAndHarmsNobody() throws IOException {
    List<AssertionError> failures = new ArrayList<>();
    for (Sample sample : samples) {
      if (ONLY.isEmpty() || ONLY.equals(sample.name())) {
        try {
          send(sample);
        } catch (AssertionError e) {
          failures.add(e); // the other methods are worth a look nevertheless
        }
      }
    }
    assertThat(failures).isEmpty();
  }

  private void send(Sample sample) throws IOException {
    ServiceMethods.Served method = served.get(sample.name());
    byte[] cells = cells(sample.cells());
    // A mutated message may have turned them off.
    admin.splitSwitch(true, true);
    admin.mergeSwitch(true, true);
    try (WireConnection connection = connect(method)) {
      Message message = message(sample, method);
      if (!sample.stops()) {
        WireConnection.Answer answer =
            connection.call(method.methodName(), message.toByteArray(), cells);
        assertThat(answer.error().isPresent())
            .as("the good message to " + sample.name() + ": " + answer.error())
            .isEqualTo(sample.refused());
        settle(method, answer);
      }
      List<String> state = state(sample);
      for (int round = 0; round < ROUNDS; round++) {
        byte[] bytes = mutator.mutate(message);
        if (sample.stops() && isOne(message, bytes)) {
          continue;
        }
        String context =
            "seed "
                + SEED
                + ", round "
                + round
                + " of "
                + sample.name()
                + ": "
                + text(message, bytes);
        WireConnection.Answer answer;
        try {
          answer = call(connection, method, bytes, mutateCells(cells));
        } catch (IOException e) {
          throw new AssertionError("No answer: " + context, e);
        }
        check(answer, context);
        if (isRefusal(method, answer, context)) {
          assertThat(state(sample))
              .as("What a refused request changed: " + context)
              .isEqualTo(state);
        } else {
          settle(method, answer);
          message = message(sample, method);
          state = state(sample);
        }
      }
    }
    othersAreServed(sample.name());
  }

  private static WireConnection connect(ServiceMethods.Served method) throws IOException {
    return new WireConnection(server.endpoints().master().host(), method.port(), method.service());
  }

  private byte[] mutateCells(byte[] good) throws IOException {
    return switch (random.nextInt(6)) {
      case 0 -> mutator.raw(good);
      case 1 -> cells(random.nextInt(5));
      default -> good;
    };
  }

  private WireConnection.Answer call(
      WireConnection connection, ServiceMethods.Served method, byte[] bytes, byte[] cells)
      throws IOException {
    if (random.nextInt(20) > 0) {
      return connection.call(method.methodName(), bytes, cells);
    }
    // Lengths that are wrong: of the message within the frame, and of the cells in the header.
    byte[] body = new byte[5 + bytes.length];
    random.nextBytes(body);
    System.arraycopy(bytes, 0, body, 1 + random.nextInt(5), bytes.length);
    int[] lengths = {-1, 1, body.length, body.length + 1, Integer.MAX_VALUE, Integer.MIN_VALUE};
    return connection.call(method.methodName(), lengths[random.nextInt(lengths.length)], body);
  }

  private static void check(WireConnection.Answer answer, String context) {
    answer.error().ifPresent(e -> check(e.getExceptionClassName(), e.getStackTrace(), context));
  }

  private static void check(String className, String trace, String context) {
    if (!className.endsWith(".constraint.ConstraintException")) {
      try {
        assertThat(IOException.class).as(context).isAssignableFrom(Class.forName(className));
      } catch (ClassNotFoundException e) {
        fail("No client knows " + className + ": " + trace + "\n" + context, e);
      }
    }
    String messages = FRAME.matcher(trace).replaceAll("").replace(NO_NUMBER, "");
    assertThat(INSIDE.matcher(messages).find()).as(printable(trace) + "\n" + context).isFalse();
    String reason = trace.substring(Math.min(trace.length(), className.length() + 1));
    assertThat(reason.split("\n\tat ")[0].strip())
        .as("A reason: " + printable(trace) + "\n" + context)
        .isNotEmpty();
  }

  /** Tells whether nothing of a request may have happened. */
  private static boolean isRefusal(
      ServiceMethods.Served method, WireConnection.Answer answer, String context)
      throws IOException {
    if (answer.error().isPresent()) {
      return true;
    }
    if (!method.name().equals("ClientService.Multi")) {
      return false;
    }
    MultiResponse response = MultiResponse.parseFrom(answer.message());
    boolean refused = true;
    for (RegionActionResult group : response.getRegionActionResultList()) {
      for (var action : group.getResultOrExceptionList()) {
        refused &= action.hasException();
        checkInside(action.getException(), action.hasException(), context);
      }
      refused &= group.hasException() || group.getResultOrExceptionCount() > 0;
      checkInside(group.getException(), group.hasException(), context);
    }
    return refused;
  }

  private static void checkInside(NameBytesPair error, boolean isOne, String context) {
    if (isOne) {
      check(error.getName(), error.getValue().toStringUtf8(), context);
    }
  }

  /** What requests to the method of {@code sample} may change. */
  private static List<String> state(Sample sample) throws IOException {
    return switch (sample.name()) {
      case "ClientService.Mutate", "ClientService.Multi", "ClientService.ExecService" -> data();
      case "MasterService.CreateTable",
          "MasterService.ModifyTable",
          "MasterService.AddColumn",
          "MasterService.ModifyColumn",
          "MasterService.DeleteColumn" ->
          admin.listTableDescriptors().stream().map(TableDescriptor::toString).sorted().toList();
      default -> List.of();
    };
  }

  private static List<String> data() throws IOException {
    try (Table table = client.getTable(DATA);
        ResultScanner scanner = table.getScanner(new Scan().setRaw(true).readAllVersions())) {
      List<String> rows = new ArrayList<>();
      for (Result row : scanner) {
        rows.add(Arrays.toString(row.rawCells()));
      }
      return rows;
    }
  }

  /** Waits for what a call began. */
  private void settle(ServiceMethods.Served method, WireConnection.Answer answer)
      throws IOException {
    var field = method.method().getOutputType().findFieldByName("proc_id");
    if (answer.error().isPresent() || field == null) {
      return;
    }
    Message response =
        org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage.parseFrom(
            method.method().getOutputType(), answer.message());
    long id = (Long) response.getField(field);
    Procedures.await(server, id);
  }

  private void othersAreServed(String context) throws IOException {
    byte[] value = Bytes.toBytes(random.nextLong());
    try (Table table = client.getTable(KEPT)) {
      table.put(new Put(F).addColumn(F, Q, value));
      assertThat(table.get(new Get(F)).getValue(F, Q)).as(context).isEqualTo(value);
    }
  }

  private Message message(Sample sample, ServiceMethods.Served method) throws IOException {
    Map<String, String> places = new LinkedHashMap<>();
    places.put("n", Integer.toString(++names));
    places.put("now", Long.toString(System.currentTimeMillis()));
    if (sample.text().contains("<v")) {
      places.put("vt", victim().getNameAsString());
      addRegion("v", victim, places);
    }
    addRegion("t", DATA, places);
    places.put(
        "mob",
        "type: REGION_NAME value: \""
            + TextFormat.escapeBytes(
                MobDirectory.regionInfo(
                        dev.cairn.engine.schema.TableName.parse(DATA.getNameAsString()))
                    .regionName())
            + "\"");
    places.put(
        "server",
        TextFormat.printer()
            .printToString(ProtobufUtil.toServerName(admin.getRegionServers().iterator().next())));
    places.put("filter", filter());
    return sample.message(method.method(), places);
  }

  private static void addRegion(String place, TableName table, Map<String, String> places)
      throws IOException {
    RegionInfo region = admin.getRegions(table).get(0);
    places.put(
        place + ".info", TextFormat.printer().printToString(ProtobufUtil.toRegionInfo(region)));
    places.put(
        place,
        "type: REGION_NAME value: \"" + TextFormat.escapeBytes(region.getRegionName()) + "\"");
  }

  /** Returns a table that may change: another one if the last one is not as it was. */
  private TableName victim() throws IOException {
    if (!admin.tableExists(victim)
        || !admin.isTableAvailable(victim)
        || admin.getDescriptor(victim).getColumnFamilyCount() < 2) {
      victim = TableName.valueOf("v" + ++names);
      create(victim);
    }
    return victim;
  }

  private static void create(TableName table) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
            .build());
  }

  private static String filter() throws IOException {
    return TextFormat.printer()
        .printToString(
            ProtobufUtil.toFilter(
                new FilterList(
                    FilterList.Operator.MUST_PASS_ONE,
                    new PrefixFilter(Bytes.toBytes("r")),
                    new TimestampsFilter(List.of(5L, 10L)),
                    new FilterList(
                        new SingleColumnValueFilter(
                            F, Q, CompareOperator.EQUAL, new RegexStringComparator("v.*")),
                        new PageFilter(3)))));
  }

  /** Returns cells of one row, as they lie beside a message. */
  private static byte[] cells(int count) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (int i = 0; i < count; i++) {
      KeyValue cell = new KeyValue(Bytes.toBytes("r"), F, Bytes.toBytes("q" + i), Q);
      out.writeInt(cell.getLength());
      out.write(cell.getBuffer(), cell.getOffset(), cell.getLength());
    }
    return bytes.toByteArray();
  }

  private static boolean isOne(Message prototype, byte[] bytes) {
    try {
      prototype.getParserForType().parseFrom(bytes);
      return true;
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }

  private static String printable(String text) {
    return text.replaceAll("[^\\x20-\\x7e\\n\\t]", "?");
  }

  private static String text(Message prototype, byte[] bytes) {
    String text;
    try {
      text = prototype.newBuilderForType().mergeFrom(bytes).buildPartial().toString();
    } catch (InvalidProtocolBufferException e) {
      text = "no message";
    }
    return text.substring(0, Math.min(text.length(), 2000))
        + "\n"
        + Bytes.toHex(Arrays.copyOf(bytes, Math.min(bytes.length, 2000)));
  }
}
