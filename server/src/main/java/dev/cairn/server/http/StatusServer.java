package dev.cairn.server.http;

import dev.cairn.server.config.AddressException;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.metrics.MetricPages;
import dev.cairn.server.page.Pages;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Serves {@link StatusPages} over HTTP. One network thread reads the requests and writes the
 * responses of all connections, so a slow client blocks no thread. Worker threads render the pages.
 * {@link WebLimits} limits connections and times.
 */
public final class StatusServer implements Closeable {
  private static final int LINE_MAX = 4096;
  private static final int HEADERS_MAX = 16 << 10;
  private static final int BODY_MAX = 4096; // of a request: the parameters of an action
  private static final long CLOSE_SECONDS = 5;

  /**
   * The names of the settings that say where a server listens.
   *
   * @param port the name of the port's key
   * @param address the name of the bind address's key
   */
  public record Keys(String port, String address) {}

  private final EventLoopGroup loop;
  private final ServerBootstrap bootstrap;
  private final List<Channel> listeners = new CopyOnWriteArrayList<>();

  private StatusServer(EventLoopGroup loop, ServerBootstrap bootstrap) {
    this.loop = loop;
    this.bootstrap = bootstrap;
  }

  /**
   * Starts serving.
   *
   * @param address where to listen; port 0 for any free one
   * @param keys the keys of that port and address, for error messages
   * @param status returns the facts to show, at each request
   * @param health runs the health checks, once for each request
   * @param report the report of a master; empty for other servers
   * @param metrics the pages of metrics
   * @param others all other pages
   * @param workers renders the pages; if it rejects a task, the response has status 503
   * @param limits the limits for clients
   * @param threads creates the network thread
   * @throws AddressException if the port is in use
   */
  public static StatusServer start(
      InetSocketAddress address,
      Keys keys,
      Supplier<ServerStatus> status,
      Supplier<HealthReport> health,
      Optional<WebReport> report,
      MetricPages metrics,
      Pages others,
      Executor workers,
      WebLimits limits,
      ThreadFactory threads)
      throws IOException {
    EventLoopGroup loop = new NioEventLoopGroup(1, threads);
    StatusPages pages = new StatusPages(status, health, report, metrics, others);
    WebConnections connections = new WebConnections(limits.connectionsMax());
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(LINE_MAX, HEADERS_MAX, HEADERS_MAX),
                            new HttpObjectAggregator(BODY_MAX),
                            new FlowControlHandler(),
                            new WebConnection(pages, workers, limits, connections));
                  }
                });
    StatusServer server = new StatusServer(loop, bootstrap);
    boolean listens = false;
    try {
      server.listen(address, keys);
      listens = true;
      return server;
    } finally {
      if (!listens) {
        server.close();
      }
    }
  }

  /**
   * Serves the same pages at another address, too. Adds no thread; the limits hold for all
   * addresses together.
   *
   * @param address where to listen; port 0 for any free one
   * @param keys the keys of that port and address, for error messages
   * @return where it listens
   * @throws AddressException if the port is in use
   */
  public InetSocketAddress listen(InetSocketAddress address, Keys keys) throws IOException {
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw failure(address, keys, bound.cause());
    }
    listeners.add(bound.channel());
    return (InetSocketAddress) bound.channel().localAddress();
  }

  private static IOException failure(InetSocketAddress address, Keys keys, Throwable cause) {
    if (cause instanceof BindException) {
      throw new AddressException(
          "The port "
              + address.getPort()
              + " of the web page ("
              + keys.port()
              + ") is in use: "
              + cause.getMessage(),
          cause);
    }
    return new IOException(
        "Cannot serve the web page on "
            + address
            + ": "
            + cause
            + ". Choose another port or address ("
            + keys.port()
            + ", "
            + keys.address()
            + ")",
        cause);
  }

  /** Returns the first address at which the server listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listeners.get(0).localAddress();
  }

  @Override
  public void close() {
    for (Channel listener : listeners) {
      listener.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
