package dev.cairn.bench.limit;

import dev.cairn.server.catalog.ServerName;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Listens on a port of this machine's loopback interface, and answers. Thread-safe. */
public final class LimitServer implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int BACKLOG = 128;

  private final EventLoopGroup group;
  private final Channel listener;
  private final CallCounts counts = new CallCounts();

  /** The way in which the server waits for its sockets. */
  public enum Transport {
    /** Through Java's selector, as everywhere. */
    NIO,
    /** Through Netty's native library: Linux only. */
    EPOLL;

    /** Returns the leanest transport that is available here. */
    static Transport best() {
      return Epoll.isAvailable() ? EPOLL : NIO;
    }
  }

  /**
   * Begins to listen.
   *
   * @param port 0 for any that is free
   * @param threads how many network threads
   * @throws IOException if the port is taken, or the transport is not to be had here
   */
  LimitServer(
      int port,
      Transport transport,
      int threads,
      CannedRows.Shape shape,
      ThreadFactory threadFactory)
      throws IOException {
    if (transport == Transport.EPOLL && !Epoll.isAvailable()) {
      throw new IOException(
          "The transport epoll is not available here", Epoll.unavailabilityCause());
    }
    CannedRows rows = new CannedRows(shape);
    Class<? extends ServerChannel> channel;
    if (transport == Transport.EPOLL) {
      group = new EpollEventLoopGroup(threads, threadFactory);
      channel = EpollServerSocketChannel.class;
    } else {
      group = new NioEventLoopGroup(threads, threadFactory);
      channel = NioServerSocketChannel.class;
    }
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(channel)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel connection) {
                    int ours = connection.localAddress().getPort();
                    connection
                        .pipeline()
                        .addLast(
                            new LimitConnection(
                                rows, new CatalogCalls(new ServerName(HOST, ours, 1)), counts));
                  }
                })
            .bind(new InetSocketAddress(HOST, port))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      group.shutdownGracefully();
      throw new IOException("Cannot listen on " + HOST + ":" + port, bound.cause());
    }
    listener = bound.channel();
  }

  /** Returns where it listens, as {@code hbase.client.bootstrap.servers} has it. */
  String address() {
    return HOST + ":" + ((InetSocketAddress) listener.localAddress()).getPort();
  }

  CallCounts counts() {
    return counts;
  }

  /** Closes all connections. */
  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
