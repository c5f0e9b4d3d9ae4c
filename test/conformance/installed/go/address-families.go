// Runs a program that can open sockets of the named address families only, as RestrictAddressFamilies= has it:
// socket(2) of any other fails with EAFNOSUPPORT.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

var families = map[string]uint32{
	"AF_INET":    unix.AF_INET,
	"AF_INET6":   unix.AF_INET6,
	"AF_NETLINK": unix.AF_NETLINK,
	"AF_UNIX":    unix.AF_UNIX,
}

// Where struct seccomp_data has the number of the call, and its first argument.
const (
	callAt     = 0
	argumentAt = 16
)

func main() {
	fmt.Fprintln(os.Stderr, run(strings.Fields(os.Args[1]), os.Args[2:]))
	os.Exit(1)
}

// Returns only when it fails.
func run(names []string, command []string) error {
	runtime.LockOSThread()
	allow := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: callAt},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_SOCKET, Jt: 1},
		allow,
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: argumentAt},
	}
	for _, name := range names {
		family, isKnown := families[name]
		if !isKnown {
			return fmt.Errorf("no address family %s", name)
		}
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: family, Jf: 1}, allow)
	}
	refuse := unix.SECCOMP_RET_ERRNO | uint32(unix.EAFNOSUPPORT)
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: refuse})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	address := uintptr(unsafe.Pointer(&program))
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, address, 0, 0); err != nil {
		return err
	}
	return unix.Exec(command[0], command, os.Environ())
}
