import Testing

@testable import WeirCLI

@Suite("Lines of a crash's stack")
struct StackFrameTests {
  @Test("Lose address, offset and directory")
  func frames() {
    let line = "1 [ra]   0x000055555587451f Session.run(_:) + 334 in tool at /home/me/Tool.swift:18:48"
    #expect(StackFrame.words(line[...]) == "Session.run(_:) in tool at Tool.swift:18:48")
  }

  @Test(
    "Other lines, the system's frames and the compiler's are none",
    arguments: [
      "", "...", "Thread 0 \"exe\" crashed:",
      "0      0x00007ffff76f9361 _assertionFailure(_:) + 225 in libswiftCore.so",
      "2 [async] [thunk] 0x0000555555874a70 witness for run in tool at //<compiler-generated>",
      "7 [async] [system] 0x00007ffff7bcf310 completeTask in libswift_Concurrency.so at /a/b.cpp:1:1",
    ])
  func others(line: String) {
    #expect(StackFrame.words(line[...]) == nil)
  }
}
