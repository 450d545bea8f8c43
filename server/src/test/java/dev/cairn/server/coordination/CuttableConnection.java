package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A port that leads to another one on this machine, until it is cut. */
public final class CuttableConnection implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;

  /** Guarded by this. */
  private final Set<Socket> open = new HashSet<>();

  /** Guarded by this. */
  private boolean cut;

  /** Guarded by this. */
  private int refusals;

  /** Leads to a port of this machine. */
  public CuttableConnection(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  /** Returns the port. */
  public int port() {
    return listening.getLocalPort();
  }

  /** Ends all connections, and lets no new one through. */
  public synchronized void cut() throws IOException {
    cut = true;
    refusals = 0;
    closeAll();
  }

  /** Lets new connections through again. */
  public synchronized void restore() {
    cut = false;
  }

  /** Waits until so many attempts to connect have failed since the cut. */
  synchronized void awaitRefusals(int count) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (refusals < count) {
      long left = deadline - System.nanoTime();
      assertThat(left).as("time left").isPositive();
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        if (!admit(client)) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        if (!admit(server)) {
          server.close();
          client.close();
          continue;
        }
        start(() -> copy(client, server));
        start(() -> copy(server, client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private synchronized boolean admit(Socket socket) {
    if (cut) {
      refusals++;
      notifyAll();
      return false;
    }
    return open.add(socket);
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[8192];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // One side has ended, and so does the other.
    }
  }

  private synchronized void closeAll() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    closeAll();
  }
}
