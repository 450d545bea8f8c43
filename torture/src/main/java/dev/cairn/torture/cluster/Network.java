package dev.cairn.torture.cluster;

import dev.cairn.server.rpc.InProcessCalls;
import dev.cairn.server.rpc.client.ConnectionRefusedException;
import dev.cairn.server.rpc.client.RpcCaller;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.torture.scheduler.Machine;
import dev.cairn.torture.scheduler.Scheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The network between the machines. Messages have random delays, so they overtake each other. Some
 * are lost, and a cut loses all messages from one place to another. A call whose request or
 * response is lost times out, and its caller does not learn whether the server executed it.
 */
final class Network {
  private static final long MICRO = 1_000;
  private static final long DELAY_MIN = 50 * MICRO;
  private static final long DELAY_MAX = 500 * MICRO;
  private static final long BACKLOG_NANOS = 10_000 * MICRO;
  private static final long SLOW_MAX = 3_000_000 * MICRO;

  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final Map<String, Port> ports = new HashMap<>();
  private final Set<Cut> cuts = new HashSet<>();
  private final Set<OpenCall> openCalls = new LinkedHashSet<>();
  private final Set<Connection> connections = new HashSet<>();
  private final Map<Machine, Consumer<InetSocketAddress>> whenBroken = new HashMap<>();
  private Disturbance disturbance = Disturbance.NONE;
  private final Map<String, Disturbance> ofMethods = new HashMap<>();
  private long lost;
  private long repeated;
  private final Map<String, Long> arrived = new HashMap<>();

  /** Changes requests on their way. */
  @FunctionalInterface
  interface Filter {
    /** Returns the request that arrives instead of {@code request}. */
    byte[] received(String method, byte[] request);
  }

  /** A bound address. While {@code calls} is empty, it accepts connections, and requests wait. */
  private record Port(Machine machine, Optional<InProcessCalls> calls, Filter filter) {}

  private record OpenCall(
      Machine caller, String address, long life, CompletableFuture<InProcessCalls.Answer> answer) {}

  private record Connection(Machine caller, Machine server) {}

  /** A cut: no message from one {@linkplain #place place} arrives at the other. */
  private record Cut(String from, String to) {}

  Network(Scheduler scheduler, RandomGenerator random) {
    this.scheduler = scheduler;
    this.random = random;
  }

  /** The rates of lost messages, slow messages, and requests that arrive twice. */
  private record Disturbance(double loss, double slow, double repeat) {
    private static final Disturbance NONE = new Disturbance(0, 0, 0);
  }

  /** Sets the rates of lost messages, slow messages, and requests that arrive twice. */
  void disturb(double loss, double slow, double repeat) {
    disturbance = new Disturbance(loss, slow, repeat);
  }

  /** Like {@link #disturb(double, double, double)}, for the calls of some methods only. */
  void disturb(Set<String> methods, double loss, double slow, double repeat) {
    methods.forEach(method -> ofMethods.put(method, new Disturbance(loss, slow, repeat)));
  }

  /** Loses all messages from {@code from} to {@code to} from now on. */
  void cut(String from, String to) {
    cuts.add(new Cut(from, to));
  }

  /** Tells whether messages from or to {@code place} are lost. */
  boolean isCut(String place) {
    return cuts.stream().anyMatch(cut -> cut.from().equals(place) || cut.to().equals(place));
  }

  /** Ends all cuts and disturbances. */
  void heal() {
    cuts.clear();
    disturbance = Disturbance.NONE;
    ofMethods.clear();
  }

  /** Returns the number of lost messages. */
  long lost() {
    return lost;
  }

  /** Returns the number of requests that arrived twice. */
  long repeated() {
    return repeated;
  }

  /** Returns the number of requests for a method that have arrived at servers. */
  long arrived(String method) {
    return arrived.getOrDefault(method, 0L);
  }

  /** Binds {@code address}: {@code machine} accepts connections and does not answer yet. */
  void bind(String address, Machine machine) {
    ports.put(address, new Port(machine, Optional.empty(), (method, request) -> request));
  }

  /** Answers calls to {@code address}, a host and a port, with {@code services}. */
  void listen(String address, Machine machine, List<RpcService> services) {
    listen(address, machine, services, (method, request) -> request);
  }

  /** As {@link #listen(String, Machine, List)}; {@code filter} changes the requests. */
  void listen(String address, Machine machine, List<RpcService> services, Filter filter) {
    ports.put(
        address,
        new Port(
            machine, Optional.of(new InProcessCalls(services, machine.clock(), random)), filter));
  }

  /**
   * Sends a message. If it arrives, runs {@code arrived} then, outside all machines.
   *
   * @return whether it will arrive
   */
  boolean deliver(Machine from, String to, Runnable arrived) {
    return deliver(disturbance, from, to, arrived);
  }

  private boolean deliver(Disturbance rates, Machine from, String to, Runnable arrived) {
    boolean arrives =
        !isCut(from.name(), to) && (rates.loss() == 0 || random.nextDouble() >= rates.loss());
    if (arrives) {
      scheduler.after(delay(rates), arrived);
    } else {
      lost++;
    }
    return arrives;
  }

  private boolean isCut(String from, String to) {
    return !cuts.isEmpty() && cuts.contains(new Cut(place(from), place(to)));
  }

  private long delay(Disturbance rates) {
    boolean slow = rates.slow() > 0 && random.nextDouble() < rates.slow();
    return slow ? random.nextLong(DELAY_MAX, SLOW_MAX) : random.nextLong(DELAY_MIN, DELAY_MAX);
  }

  /** Returns the caller for the threads of {@code machine}. */
  RpcCaller from(Machine machine) {
    return new Caller(machine, 0);
  }

  /**
   * Calls servers from a machine.
   *
   * @param life the life of the called servers; {@link #hangUp} ends only calls to it. 0 if lives
   *     are not distinguished
   */
  private final class Caller implements RpcCaller {
    private final Machine machine;
    private final long life;

    private Caller(Machine machine, long life) {
      this.machine = machine;
      this.life = life;
    }

    @Override
    public <R extends Message> R call(
        InetSocketAddress server,
        String service,
        String method,
        Message request,
        R prototype,
        Duration timeout)
        throws IOException {
      OpenCall open =
          new OpenCall(
              machine,
              server.getHostString() + ":" + server.getPort(),
              life,
              new CompletableFuture<>());
      return Network.this.call(open, service, method, request, prototype, timeout);
    }

    @Override
    public void hangUp(InetSocketAddress server) {
      Network.this.hangUp(machine, server.getHostString() + ":" + server.getPort(), life);
    }

    @Override
    public RpcCaller ofLife(long startCode) {
      return new Caller(machine, startCode);
    }

    @Override
    public void whenBroken(Consumer<InetSocketAddress> listener) {
      whenBroken.merge(machine, listener, Consumer::andThen);
    }
  }

  private <R extends Message> R call(
      OpenCall open, String service, String method, Message request, R prototype, Duration timeout)
      throws IOException {
    Machine machine = open.caller();
    String address = open.address();
    CompletableFuture<InProcessCalls.Answer> answer = open.answer();
    openCalls.add(open);
    answer.whenComplete((result, failure) -> openCalls.remove(open));
    byte[] bytes = request.toByteArray();
    Disturbance rates = ofMethods.getOrDefault(method, disturbance);
    boolean again = rates.repeat() > 0 && random.nextDouble() < rates.repeat();
    for (int i = 0; i < (again ? 2 : 1); i++) {
      deliver(
          rates,
          machine,
          address,
          () -> arrive(machine, address, service, method, bytes, timeout, answer));
    }
    repeated += again ? 1 : 0;
    boolean done;
    try {
      done = machine.clock().await(answer, timeout.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted in " + method, e);
    }
    if (!done) {
      openCalls.remove(open);
      throw new CallTimeoutException(
          method + " at " + address + " was not answered within " + timeout.toMillis() + " ms");
    }
    if (answer.isCompletedExceptionally()) {
      throw answer.handle((result, failure) -> (IOException) failure).join();
    }
    return answer.join().as(prototype);
  }

  private void arrive(
      Machine caller,
      String address,
      String service,
      String method,
      byte[] request,
      Duration timeout,
      CompletableFuture<InProcessCalls.Answer> answer) {
    Port port = ports.get(address);
    if (port == null || port.machine().isStopped()) {
      tell(
          address,
          caller,
          () ->
              answer.completeExceptionally(
                  new ConnectionRefusedException(address + " refuses connections")));
      return;
    }
    Machine server = port.machine();
    connect(caller, address, server);
    if (port.calls().isEmpty()) {
      if (!answer.isDone()) {
        scheduler.after(
            BACKLOG_NANOS,
            () -> arrive(caller, address, service, method, request, timeout, answer));
      }
      return;
    }
    arrived.merge(method, 1L, Long::sum);
    server.spawn(
        method,
        () -> {
          Optional<InProcessCalls.Answer> result =
              port.calls()
                  .get()
                  .call(
                      service,
                      method,
                      port.filter().received(method, request),
                      caller.name(),
                      timeout.toNanos());
          server.checkRunning();
          Disturbance rates = ofMethods.getOrDefault(method, disturbance);
          result.ifPresent(
              response -> deliver(rates, server, caller.name(), () -> answer.complete(response)));
        });
    Runnable forget =
        server.whenStopped(
            () ->
                tell(
                    address,
                    caller,
                    () ->
                        answer.completeExceptionally(
                            new ConnectionClosedException(address + " reset the connection"))));
    answer.whenComplete((result, failure) -> forget.run());
  }

  /** Keeps a connection; {@code caller} is notified when the process at its other end stops. */
  private void connect(Machine caller, String address, Machine server) {
    Connection connection = new Connection(caller, server);
    if (whenBroken.containsKey(caller) && connections.add(connection)) {
      server.whenStopped(
          () -> {
            connections.remove(connection);
            tell(address, caller, () -> broken(caller, address));
          });
    }
  }

  private void broken(Machine caller, String address) {
    if (!caller.isStopped()) {
      InetSocketAddress server =
          InetSocketAddress.createUnresolved(
              place(address), Integer.parseInt(address.substring(address.indexOf(':') + 1)));
      whenBroken.get(caller).accept(server);
    }
  }

  private void hangUp(Machine caller, String address, long life) {
    for (OpenCall open : List.copyOf(openCalls)) {
      if (open.caller() == caller && open.life() == life && open.address().equals(address)) {
        open.answer().completeExceptionally(new ConnectionClosedException("Hung up on " + address));
      }
    }
  }

  /** Sends news of a process to {@code caller}, as the operating system of its host does. */
  private void tell(String address, Machine caller, Runnable news) {
    if (!isCut(address, caller.name())) {
      scheduler.after(delay(disturbance), news);
    }
  }

  /** Returns the place of a machine or an address: the part of its name before # or a colon. */
  static String place(String name) {
    int end = 0;
    while (end < name.length() && name.charAt(end) != '#' && name.charAt(end) != ':') {
      end++;
    }
    return name.substring(0, end);
  }
}
