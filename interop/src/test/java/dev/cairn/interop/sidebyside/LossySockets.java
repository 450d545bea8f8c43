package dev.cairn.interop.sidebyside;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;

/**
 * The sockets of a client with a bad wire: answers to reads are lost with the connection, come late
 * or come twice, and read requests arrive twice. All other calls pass. Apache's blocking client
 * makes its sockets with this class, if its configuration names it.
 */
public final class LossySockets extends SocketFactory implements Configurable {
  private static final String SEED = "cairn.test.wire.seed";
  private static final Set<String> METHODS = Set.of("Scan", "Get");
  private static final long LATE_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /** Of this many answers, one is lost, one comes late and one comes twice, on average. */
  private static final int ONE_IN = 12;

  private Configuration configuration = new Configuration(false);
  private SplittableRandom random = new SplittableRandom();

  /** Makes a client use such sockets; a seed decides the faults. */
  static void use(Configuration configuration, long seed) {
    configuration.set("hbase.rpc.client.impl", "org.apache.hadoop.hbase.ipc.BlockingRpcClient");
    configuration.set("hadoop.rpc.socket.factory.class.default", LossySockets.class.getName());
    configuration.setLong(SEED, seed);
  }

  @Override
  public void setConf(Configuration given) {
    configuration = given;
    random = new SplittableRandom(given.getLong(SEED, 0));
  }

  @Override
  public Configuration getConf() {
    return configuration;
  }

  @Override
  public synchronized Socket createSocket() {
    return new LossySocket(random.split());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new SocketException("Only unconnected sockets are made");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket(host.getHostAddress(), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host.getHostAddress(), port);
  }

  private static final class LossySocket extends Socket {
    private final SplittableRandom ofAnswers;
    private final SplittableRandom ofRequests;
    private final Set<Integer> reads = ConcurrentHashMap.newKeySet();

    LossySocket(SplittableRandom random) {
      this.ofAnswers = random.split();
      this.ofRequests = random.split();
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new Answers(this, super.getInputStream());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new Requests(this, super.getOutputStream());
    }
  }

  /** Hands on whole answers: the length and the bytes. */
  private static final class Answers extends InputStream {
    private final LossySocket socket;
    private final DataInputStream in;
    private ByteBuffer ready = ByteBuffer.allocate(0);

    Answers(LossySocket socket, InputStream in) {
      this.socket = socket;
      this.in = new DataInputStream(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      while (!ready.hasRemaining()) {
        try {
          receive();
        } catch (EOFException e) {
          return -1;
        }
      }
      int count = Math.min(length, ready.remaining());
      ready.get(target, offset, count);
      return count;
    }

    private void receive() throws IOException {
      byte[] answer = new byte[in.readInt()];
      in.readFully(answer);
      ByteBuffer whole = ByteBuffer.allocate(2 * (Integer.BYTES + answer.length));
      whole.putInt(answer.length).put(answer);
      ResponseHeader header = ResponseHeader.parseDelimitedFrom(stream(answer));
      if (socket.reads.remove(header.getCallId())) {
        switch (socket.ofAnswers.nextInt(ONE_IN)) {
          case 0 -> {
            socket.close();
            throw new SocketException("The answer is lost");
          }
          case 1 -> LockSupport.parkNanos(socket.ofAnswers.nextLong(LATE_MAX_NANOS));
          case 2 -> whole.putInt(answer.length).put(answer);
          default -> {
            // The answer passes as it is.
          }
        }
      }
      ready = whole.flip();
    }
  }

  /** Hands on whole requests, some of them twice. */
  private static final class Requests extends FilterOutputStream {
    private static final int PREAMBLE_BYTES = 6;

    private final LossySocket socket;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private boolean afterPreamble;
    private boolean afterGreeting;

    Requests(LossySocket socket, OutputStream out) {
      super(out);
      this.socket = socket;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      begun.write(source, offset, length);
      ByteBuffer left = ByteBuffer.wrap(begun.toByteArray());
      begun.reset();
      if (!afterPreamble && left.remaining() >= PREAMBLE_BYTES) {
        send(left, PREAMBLE_BYTES);
        afterPreamble = true;
      }
      while (afterPreamble
          && left.remaining() >= Integer.BYTES
          && left.remaining() >= Integer.BYTES + left.getInt(left.position())) {
        request(left);
      }
      begun.write(left.array(), left.position(), left.remaining());
    }

    private void request(ByteBuffer left) throws IOException {
      int length = left.getInt(left.position());
      int start = left.position();
      byte[] content = new byte[length];
      left.get(start + Integer.BYTES, content);
      boolean again = false;
      if (afterGreeting) {
        RequestHeader header = RequestHeader.parseDelimitedFrom(stream(content));
        if (METHODS.contains(header.getMethodName())) {
          socket.reads.add(header.getCallId());
          again = socket.ofRequests.nextInt(2 * ONE_IN) == 0;
        }
      }
      afterGreeting = true;
      send(left, Integer.BYTES + length);
      if (again) {
        send(left.position(start), Integer.BYTES + length);
      }
    }

    private void send(ByteBuffer bytes, int length) throws IOException {
      out.write(bytes.array(), bytes.position(), length);
      bytes.position(bytes.position() + length);
    }
  }

  private static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }
}
